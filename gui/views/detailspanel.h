// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "models/runmodels.h"
#include "outputview.h"
#include "preferences.h"

class QFormLayout;
class QLabel;
class QPlainTextEdit;
class QStackedWidget;
class QToolButton;
class QTreeWidget;

namespace tasuki {

/// All about the selected task: command, settings, attempts, and what one of them wrote.
class DetailsPanel : public QWidget {
    Q_OBJECT

public:
    /// @param models, preferences  must outlive the widget
    DetailsPanel(RunModels& models, Preferences& preferences, QWidget* parent = nullptr);

    [[nodiscard]] OutputView& output() { return *m_output; }
    /// The whole command of the shown task; empty: none.
    [[nodiscard]] QString command() const;

private:
    QWidget* makeHead();
    QWidget* makeAttempts(Preferences& preferences);
    void renew();
    void renewSettings(const TaskRecord& record);
    void addSetting(const QString& name, const QString& value, bool links = false);
    void renewAttempts();
    void selectAttempt();

    RunModels& m_models;
    QStackedWidget* m_stack = nullptr;
    QLabel* m_stateIcon = nullptr;
    QLabel* m_title = nullptr;
    QPlainTextEdit* m_command = nullptr;
    QToolButton* m_copy = nullptr;
    QFormLayout* m_settings = nullptr;
    QTreeWidget* m_attempts = nullptr;
    OutputView* m_output = nullptr;
    bool m_filling = false;
};

} // namespace tasuki
