// SPDX-License-Identifier: GPL-3.0-or-later
#include "workspace.h"

#include <QDir>
#include <QFile>

namespace tasuki::testing {

Workspace::Workspace() : m_directory(QDir::tempPath() + QStringLiteral("/tasuki-e2e.XXXXXX"))
{
    if (!m_directory.isValid()) {
        qFatal("cannot make a directory for the test: %s", qPrintable(m_directory.errorString()));
    }
}

QString Workspace::path(const QString& name) const
{
    return name.isEmpty() ? m_directory.path() : m_directory.filePath(name);
}

QString Workspace::write(const QString& name, const QByteArray& content) const
{
    QFile file(path(name));
    if (!file.open(QIODevice::WriteOnly) || file.write(content) != content.size()) {
        qFatal("cannot write %s: %s", qPrintable(file.fileName()), qPrintable(file.errorString()));
    }
    return file.fileName();
}

QByteArray Workspace::read(const QString& name) const
{
    QFile file(path(name));
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

bool Workspace::exists(const QString& name) const { return QFile::exists(path(name)); }

int Workspace::count(const QString& pattern) const
{
    return static_cast<int>(QDir(path()).entryList({pattern}, QDir::Files).size());
}

QString Workspace::accessFile() const
{
    const QDir directory(path(QStringLiteral(".access")));
    const QStringList names = directory.entryList({QStringLiteral("*.json")}, QDir::Files);
    return names.size() == 1 ? directory.filePath(names.front()) : QString();
}

} // namespace tasuki::testing
