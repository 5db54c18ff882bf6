// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileDialog>

namespace tasuki {

/// Asks for a folder to write into. One that does not exist yet may be named, and is made; the
/// dialogs of desktops, which have a button for that, are used as they are.
class FolderDialog : public QFileDialog {
    Q_OBJECT

public:
    /// @param suggestion  path of a folder, which need not exist
    FolderDialog(QWidget* parent, const QString& title, const QString& suggestion);

    void accept() override;
};

} // namespace tasuki
