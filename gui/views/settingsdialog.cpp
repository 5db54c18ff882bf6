// SPDX-License-Identifier: GPL-3.0-or-later
#include "settingsdialog.h"

#include <QCheckBox>
#include <QComboBox>
#include <QDialogButtonBox>
#include <QFormLayout>

#include <algorithm>

namespace tasuki {

SettingsDialog::SettingsDialog(Preferences& preferences, QWidget* parent)
    : QDialog(parent), m_preferences(preferences)
{
    setWindowTitle(tr("Settings"));
    auto* form = new QFormLayout(this);
    form->setVerticalSpacing(10);
    form->setHorizontalSpacing(16);
    m_theme = new QComboBox;
    m_theme->addItems({tr("As the system"), tr("Light"), tr("Dark")});
    m_theme->setCurrentIndex(static_cast<int>(preferences.theme()));
    m_theme->setAccessibleName(tr("Colours"));
    form->addRow(tr("&Colours"), m_theme);

    m_language = new QComboBox;
    m_language->addItem(tr("As the system"), QString());
    m_language->addItem(QStringLiteral("English"), QStringLiteral("en"));
    m_language->addItem(QStringLiteral("日本語"), QStringLiteral("ja"));
    m_language->setCurrentIndex(std::max(0, m_language->findData(preferences.language())));
    m_language->setAccessibleName(tr("Language"));
    form->addRow(tr("&Language"), m_language);

    m_time = new QComboBox;
    m_time->addItems({tr("Time of day"), tr("Since the start of the run")});
    m_time->setCurrentIndex(static_cast<int>(preferences.timeDisplay()));
    m_time->setAccessibleName(tr("Times in the timeline"));
    form->addRow(tr("&Times in the timeline"), m_time);

    m_confirm = new QCheckBox(tr("&Ask before running tasks are cancelled"));
    m_confirm->setChecked(preferences.confirmCancel());
    form->addRow(m_confirm);

    auto* buttons = new QDialogButtonBox(QDialogButtonBox::Ok | QDialogButtonBox::Cancel);
    connect(buttons, &QDialogButtonBox::accepted, this, &SettingsDialog::accept);
    connect(buttons, &QDialogButtonBox::rejected, this, &QDialog::reject);
    form->addRow(buttons);
}

void SettingsDialog::accept()
{
    const auto theme = static_cast<ThemeChoice>(m_theme->currentIndex());
    const QString language = m_language->currentData().toString();
    const auto time = static_cast<TimeDisplay>(m_time->currentIndex());
    m_preferences.setConfirmCancel(m_confirm->isChecked());
    if (time != m_preferences.timeDisplay())
        m_preferences.setTimeDisplay(time);
    QDialog::accept();
    // Both make the window's content anew.
    if (theme != m_preferences.theme())
        m_preferences.setTheme(theme);
    if (language != m_preferences.language())
        m_preferences.setLanguage(language);
}

} // namespace tasuki
