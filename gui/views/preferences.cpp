// SPDX-License-Identifier: GPL-3.0-or-later
#include "preferences.h"

#include <QFileInfo>

namespace tasuki {

namespace {

constexpr auto themeKey = "theme";
constexpr auto languageKey = "language";
constexpr auto timeKey = "timeSinceStart";
constexpr auto confirmKey = "confirmCancel";
constexpr auto recentKey = "recentFiles";

QString layoutKey(const QString& name) { return QStringLiteral("layout/") + name; }

} // namespace

Preferences::Preferences(std::unique_ptr<QSettings> store, QObject* parent)
    : QObject(parent), m_store(std::move(store))
{}

ThemeChoice Preferences::theme() const
{
    if (m_themeOverride)
        return *m_themeOverride;
    const QString word = m_store->value(themeKey).toString();
    if (word == QLatin1String("light"))
        return ThemeChoice::Light;
    return word == QLatin1String("dark") ? ThemeChoice::Dark : ThemeChoice::System;
}

void Preferences::setTheme(ThemeChoice theme)
{
    m_themeOverride.reset();
    m_store->setValue(themeKey,
                      theme == ThemeChoice::Light      ? QStringLiteral("light")
                          : theme == ThemeChoice::Dark ? QStringLiteral("dark")
                                                       : QStringLiteral("system"));
    Q_EMIT themeChanged();
}

QString Preferences::language() const
{
    return m_languageOverride ? *m_languageOverride : m_store->value(languageKey).toString();
}

void Preferences::setLanguage(const QString& language)
{
    const bool same = this->language() == language;
    m_languageOverride.reset();
    m_store->setValue(languageKey, language);
    if (!same)
        Q_EMIT languageChanged();
}

TimeDisplay Preferences::timeDisplay() const
{
    return m_store->value(timeKey, false).toBool() ? TimeDisplay::SinceStart : TimeDisplay::Clock;
}

void Preferences::setTimeDisplay(TimeDisplay display)
{
    m_store->setValue(timeKey, display == TimeDisplay::SinceStart);
    Q_EMIT timeDisplayChanged();
}

bool Preferences::confirmCancel() const { return m_store->value(confirmKey, true).toBool(); }

void Preferences::setConfirmCancel(bool confirm) { m_store->setValue(confirmKey, confirm); }

QStringList Preferences::recentFiles() const { return m_store->value(recentKey).toStringList(); }

void Preferences::addRecentFile(const QString& path)
{
    const QString absolute = QFileInfo(path).absoluteFilePath();
    QStringList files = recentFiles();
    files.removeAll(absolute);
    files.prepend(absolute);
    m_store->setValue(recentKey, files.mid(0, mostRecentFiles));
    Q_EMIT recentFilesChanged();
}

void Preferences::removeRecentFile(const QString& path)
{
    QStringList files = recentFiles();
    files.removeAll(path);
    m_store->setValue(recentKey, files);
    Q_EMIT recentFilesChanged();
}

void Preferences::clearRecentFiles()
{
    m_store->remove(recentKey);
    Q_EMIT recentFilesChanged();
}

QByteArray Preferences::layout(const QString& name) const
{
    return m_store->value(layoutKey(name)).toByteArray();
}

void Preferences::setLayout(const QString& name, const QByteArray& state)
{
    m_store->setValue(layoutKey(name), state);
}

QVariant Preferences::value(const QString& name, const QVariant& otherwise) const
{
    return m_store->value(name, otherwise);
}

void Preferences::setValue(const QString& name, const QVariant& value)
{
    m_store->setValue(name, value);
}

} // namespace tasuki
