// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QDialog>

#include "preferences.h"

class QCheckBox;
class QComboBox;

namespace tasuki {

/// What a user can choose. Takes effect when the dialog is accepted.
class SettingsDialog : public QDialog {
    Q_OBJECT

public:
    /// @param preferences  must outlive the dialog
    explicit SettingsDialog(Preferences& preferences, QWidget* parent = nullptr);

    void accept() override;

private:
    Preferences& m_preferences;
    QComboBox* m_theme = nullptr;
    QComboBox* m_language = nullptr;
    QComboBox* m_time = nullptr;
    QCheckBox* m_confirm = nullptr;
};

} // namespace tasuki
