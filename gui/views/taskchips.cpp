// SPDX-License-Identifier: GPL-3.0-or-later
#include "taskchips.h"

#include "flowlayout.h"
#include "icons.h"
#include "models/wording.h"

#include <QEvent>
#include <QLocale>
#include <QSignalBlocker>
#include <QToolButton>

namespace tasuki {

namespace {

/// In the order of a task's life.
constexpr std::array order{TaskState::Queued,    TaskState::Held,   TaskState::Running,
                           TaskState::Succeeded, TaskState::Failed, TaskState::Skipped,
                           TaskState::Cancelled, TaskState::Removed};
static_assert(order.size() == taskStateCount);

/// Tasks pass through these; the others are shown when there are any.
constexpr bool isUsual(TaskState state)
{
    return state == TaskState::Queued || state == TaskState::Running
        || state == TaskState::Succeeded || state == TaskState::Failed;
}

} // namespace

TaskChips::TaskChips(QWidget* parent) : QWidget(parent)
{
    auto* flow = new FlowLayout(4, this);
    const int size = fontMetrics().height() - 2;
    for (const TaskState state : order) {
        auto* button = new QToolButton;
        button->setCheckable(true);
        button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
        button->setIcon(icons::state(state));
        button->setIconSize(QSize(size, size));
        button->setFocusPolicy(Qt::TabFocus);
        button->setAccessibleName(tr("Show tasks in state: %1").arg(wording::state(state)));
        m_buttons[static_cast<std::size_t>(state)] = button;
        flow->addWidget(button);
        connect(button, &QToolButton::toggled, this, &TaskChips::colour);
        connect(button, &QToolButton::toggled, this, &TaskChips::statesChanged);
    }
    QSizePolicy policy(QSizePolicy::Preferred, QSizePolicy::Minimum);
    policy.setHeightForWidth(true);
    setSizePolicy(policy);
    setCounts(RunState{});
}

std::bitset<taskStateCount> TaskChips::states() const
{
    std::bitset<taskStateCount> states;
    for (std::size_t i = 0; i < m_buttons.size(); ++i)
        states.set(i, m_buttons[i]->isChecked());
    return states;
}

void TaskChips::setStates(std::bitset<taskStateCount> states)
{
    if (states == this->states())
        return;
    for (std::size_t i = 0; i < m_buttons.size(); ++i) {
        const QSignalBlocker quiet(m_buttons[i]);
        m_buttons[i]->setChecked(states.test(i));
    }
    colour();
    Q_EMIT statesChanged();
}

/// The style alone hardly tells a pressed button from another in a dark window.
void TaskChips::colour()
{
    constexpr float share = 0.45F;
    for (QToolButton* button : m_buttons) {
        QPalette colours;
        if (button->isChecked()) {
            const QColor plain = palette().color(QPalette::Button);
            const QColor chosen = palette().color(QPalette::Highlight);
            const auto mixed = [](float from, float to) { return from + (to - from) * share; };
            colours.setColor(QPalette::Button,
                             QColor::fromRgbF(mixed(plain.redF(), chosen.redF()),
                                              mixed(plain.greenF(), chosen.greenF()),
                                              mixed(plain.blueF(), chosen.blueF())));
        }
        button->setPalette(colours);
    }
}

void TaskChips::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::PaletteChange)
        colour();
}

void TaskChips::setCounts(const RunState& run)
{
    for (const TaskState state : order) {
        QToolButton& chip = button(state);
        const std::size_t count = run.count(state);
        const QString text = wording::state(state) + QLatin1Char(' ')
            + QLocale().toString(qulonglong{count});
        if (chip.text() != text)
            chip.setText(text);
        // One that is on can be taken off again.
        chip.setEnabled(count > 0 || chip.isChecked());
        chip.setVisible(count > 0 || chip.isChecked() || isUsual(state));
    }
}

} // namespace tasuki
