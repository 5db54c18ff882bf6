// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QSettings>
#include <QStringList>

#include <memory>

namespace tasuki {

enum class ThemeChoice : std::uint8_t { System, Light, Dark };
enum class TimeDisplay : std::uint8_t { Clock, SinceStart };

/// What a user has chosen, kept between sessions. GUI thread.
class Preferences : public QObject {
    Q_OBJECT

public:
    static constexpr qsizetype mostRecentFiles = 12;

    /// @param store  where all of it is kept
    explicit Preferences(std::unique_ptr<QSettings> store, QObject* parent = nullptr);

    [[nodiscard]] ThemeChoice theme() const;
    void setTheme(ThemeChoice theme);
    /// "en", "ja", or empty: that of the system.
    [[nodiscard]] QString language() const;
    void setLanguage(const QString& language);
    [[nodiscard]] TimeDisplay timeDisplay() const;
    void setTimeDisplay(TimeDisplay display);
    /// Whether cancelling tasks that run is asked back.
    [[nodiscard]] bool confirmCancel() const;
    void setConfirmCancel(bool confirm);

    /// Absolute paths of run files, the latest first.
    [[nodiscard]] QStringList recentFiles() const;
    void addRecentFile(const QString& path);
    void removeRecentFile(const QString& path);
    void clearRecentFiles();

    /// State of windows and headers by name.
    [[nodiscard]] QByteArray layout(const QString& name) const;
    void setLayout(const QString& name, const QByteArray& state);
    /// Other values by name, such as the last numbers of a dialog.
    [[nodiscard]] QVariant value(const QString& name, const QVariant& otherwise = {}) const;
    void setValue(const QString& name, const QVariant& value);

    /// Choices for this session alone, from the command line; never kept.
    void overrideTheme(ThemeChoice theme) { m_themeOverride = theme; }
    void overrideLanguage(const QString& language) { m_languageOverride = language; }

Q_SIGNALS:
    void themeChanged();
    void languageChanged();
    void timeDisplayChanged();
    void recentFilesChanged();

private:
    std::unique_ptr<QSettings> m_store;
    std::optional<ThemeChoice> m_themeOverride;
    std::optional<QString> m_languageOverride;
};

} // namespace tasuki
