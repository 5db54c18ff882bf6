// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include "domain/runstate.h"

#include <array>
#include <bitset>

class QToolButton;

namespace tasuki {

/// A toggle for each state of tasks, with how many are in it.
class TaskChips : public QWidget {
    Q_OBJECT

public:
    explicit TaskChips(QWidget* parent = nullptr);

    [[nodiscard]] std::bitset<taskStateCount> states() const;
    void setStates(std::bitset<taskStateCount> states);
    /// States in which no task is are disabled, and hidden unless every run has them.
    void setCounts(const RunState& state);
    [[nodiscard]] QToolButton& button(TaskState state) const
    {
        return *m_buttons[static_cast<std::size_t>(state)];
    }

Q_SIGNALS:
    void statesChanged();

protected:
    void changeEvent(QEvent* event) override;

private:
    void colour();

    std::array<QToolButton*, taskStateCount> m_buttons{};
};

} // namespace tasuki
