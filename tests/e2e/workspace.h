// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QString>
#include <QTemporaryDir>

namespace tasuki::testing {

/// A directory of its own for one test, gone with it.
class Workspace {
public:
    Workspace();

    /// @return the absolute path of a name in the directory
    [[nodiscard]] QString path(const QString& name = {}) const;
    /// Makes or replaces a file. @return its absolute path
    QString write(const QString& name, const QByteArray& content) const;
    /// @return the file's content, empty when there is none
    [[nodiscard]] QByteArray read(const QString& name) const;
    [[nodiscard]] bool exists(const QString& name) const;
    /// @return how many files of the directory match a pattern such as "done.*"
    [[nodiscard]] int count(const QString& pattern) const;
    /// @return the path of the only access file of the directory's agent; empty: there is none yet
    [[nodiscard]] QString accessFile() const;

private:
    QTemporaryDir m_directory;
};

} // namespace tasuki::testing
