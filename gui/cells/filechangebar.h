// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "fileondisk.h"

class QLabel;
class QPushButton;

namespace tasuki {

/// Tells that somebody else has written the file that is being edited, and asks what shall stand;
/// hidden while nobody has.
class FileChangeBar : public QWidget {
    Q_OBJECT

public:
    explicit FileChangeBar(QWidget* parent = nullptr);

    /// @param name  of the file, for people
    void show(const FileOnDisk& file, const QString& name);
    [[nodiscard]] QString headline() const;
    [[nodiscard]] QPushButton& reload() const { return *m_reload; }
    [[nodiscard]] QPushButton& mine() const { return *m_mine; }

private:
    QLabel* m_icon;
    QLabel* m_headline;
    QPushButton* m_reload;
    QPushButton* m_mine;
};

} // namespace tasuki
