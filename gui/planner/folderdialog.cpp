// SPDX-License-Identifier: GPL-3.0-or-later
#include "folderdialog.h"

#include <QDir>
#include <QFileInfo>

namespace tasuki {

FolderDialog::FolderDialog(QWidget* parent, const QString& title, const QString& suggestion)
    : QFileDialog(parent, title, QFileInfo(suggestion).path())
{
    setFileMode(QFileDialog::Directory);
    setOption(QFileDialog::ShowDirsOnly);
    setLabelText(QFileDialog::Accept, tr("Write"));
    selectFile(QFileInfo(suggestion).fileName());
}

void FolderDialog::accept()
{
    const QStringList wanted = selectedFiles();
    // What cannot be made, the dialog itself tells as not found.
    if (wanted.size() == 1 && !QFileInfo::exists(wanted.front()))
        QDir().mkdir(wanted.front());
    QFileDialog::accept();
}

} // namespace tasuki
