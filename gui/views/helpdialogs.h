// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QAction>
#include <QDialog>
#include <QList>
#include <QString>

namespace tasuki {

/// All keys of the window on one page.
class ShortcutsDialog : public QDialog {
    Q_OBJECT

public:
    struct Group {
        QString title;
        QList<QAction*> actions; ///< those without a key are left out
    };

    explicit ShortcutsDialog(const QList<Group>& groups, QWidget* parent = nullptr);
};

/// Name, version and licence.
class AboutDialog : public QDialog {
    Q_OBJECT

public:
    explicit AboutDialog(const QString& version, QWidget* parent = nullptr);
};

} // namespace tasuki
