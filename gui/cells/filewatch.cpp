// SPDX-License-Identifier: GPL-3.0-or-later
#include "filewatch.h"

#include <QFileInfo>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds writingTime{150};

} // namespace

FileWatch::FileWatch(QObject* parent) : QObject(parent)
{
    m_later.setSingleShot(true);
    m_later.setInterval(writingTime);
    const auto later = [this] { m_later.start(); };
    connect(&m_watcher, &QFileSystemWatcher::fileChanged, this, later);
    connect(&m_watcher, &QFileSystemWatcher::directoryChanged, this, later);
    connect(&m_later, &QTimer::timeout, this, [this] {
        renew();
        Q_EMIT noticed();
    });
}

void FileWatch::watch(const QString& path)
{
    m_path = path;
    m_later.stop();
    renew();
}

/// A file that was replaced is another one, which is watched only when it is asked for again. That one
/// comes in its place is seen in its folder.
void FileWatch::renew()
{
    const QStringList before = m_watcher.files() + m_watcher.directories();
    if (!before.isEmpty())
        m_watcher.removePaths(before);
    if (m_path.isEmpty())
        return;
    const QFileInfo info(m_path);
    QStringList wanted;
    for (const QString& one : {info.absoluteFilePath(), info.absolutePath()}) {
        if (QFileInfo::exists(one))
            wanted << one;
    }
    if (!wanted.isEmpty())
        m_watcher.addPaths(wanted);
}

} // namespace tasuki
