// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFileSystemWatcher>
#include <QObject>
#include <QTimer>

namespace tasuki {

/// Tells when a file may have become another: written, replaced, removed or put back. A moment later,
/// so that who writes is done.
class FileWatch : public QObject {
    Q_OBJECT

public:
    explicit FileWatch(QObject* parent = nullptr);

    /// @param path  empty: nothing is watched
    void watch(const QString& path);
    /// Whether something was seen that noticed() is still to tell of.
    [[nodiscard]] bool isDue() const { return m_later.isActive(); }

Q_SIGNALS:
    void noticed();

private:
    void renew();

    QFileSystemWatcher m_watcher;
    QTimer m_later;
    QString m_path;
};

} // namespace tasuki
