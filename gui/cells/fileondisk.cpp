// SPDX-License-Identifier: GPL-3.0-or-later
#include "fileondisk.h"

#include <QFile>
#include <QFileInfo>

#include <utility>

namespace tasuki {

void KnownFile::know(std::string text)
{
    m_text = std::move(text);
    m_overruled.reset();
}

FileOnDisk KnownFile::look(const QString& path, const Read& read) const
{
    if (path.isEmpty())
        return {};
    FileOnDisk file;
    if (!QFileInfo::exists(path)) {
        file.state = FileOnDisk::State::Gone;
    } else if (Result<std::string> text = read(QFile::encodeName(path).toStdString()); !text) {
        file.state = FileOnDisk::State::Unreadable;
        file.problem = QString::fromStdString(text.error().message);
    } else {
        file.state = *text == m_text ? FileOnDisk::State::AsKnown : FileOnDisk::State::Changed;
        file.text = std::move(*text);
    }
    if (m_overruled && m_overruled->state == file.state && m_overruled->text == file.text)
        file.state = FileOnDisk::State::AsKnown;
    return file;
}

} // namespace tasuki
