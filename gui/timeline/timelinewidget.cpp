// SPDX-License-Identifier: GPL-3.0-or-later
#include "timelinewidget.h"

#include <QToolButton>

namespace tasuki {

namespace {

/// A moment is shown with at most so much around it.
constexpr Nanoseconds momentSpan = 60'000'000'000;

} // namespace

TimelineWidget::TimelineWidget(QWidget* parent)
    : LaneArea(m_scene, parent), m_liveButton(addButton())
{
    allButton().setCheckable(true);
    m_liveButton.setCheckable(true);
    m_liveButton.setEnabled(false);
    connect(&m_liveButton, &QToolButton::clicked, this, &TimelineWidget::follow);
    connect(this, &LaneArea::viewChanged, this, &TimelineWidget::showMode);
    restyle();
    timeMoved();
}

void TimelineWidget::setStore(const TimelineStore* store)
{
    m_scene.setStore(store);
    placeParts();
    timeMoved();
}

void TimelineWidget::setTaskText(BarTexts::TaskText text)
{
    m_scene.setTaskText(std::move(text));
    viewport()->update();
}

void TimelineWidget::refresh()
{
    const int rows = m_scene.layout().contentHeight();
    m_scene.update();
    if (m_scene.layout().contentHeight() != rows)
        placeParts();
    viewport()->update();
}

void TimelineWidget::setNow(WallTime now, bool live)
{
    const bool wasLive = m_scene.isLive();
    m_scene.setNow(now, live);
    m_liveButton.setEnabled(live);
    if (live != wasLive)
        placeParts();
    viewport()->update();
}

void TimelineWidget::setSelected(std::optional<TaskId> task)
{
    if (m_scene.selectedTask() == task)
        return;
    m_scene.setSelected(task, std::nullopt);
    selectionMoved();
}

void TimelineWidget::setSelectedAttempt(AttemptKey attempt)
{
    m_scene.setSelected(attempt.task, attempt);
    selectionMoved();
}

void TimelineWidget::reveal(TaskId task)
{
    if (const auto place = m_scene.placeOf(task))
        bringIntoSight(*place);
}

void TimelineWidget::showMoment(std::optional<Rank> rank, WallTime moment)
{
    if (m_scene.isEmpty())
        return;
    for (std::size_t row = 0; rank && row < m_scene.store()->laneCount(); ++row) {
        if (m_scene.store()->lane(row).rank == *rank) {
            scrollToRow(row);
            break;
        }
    }
    m_scene.view().centre(toNanoseconds(moment), momentSpan);
    timeMoved();
    m_scene.setMark(moment);
}

void TimelineWidget::follow()
{
    m_scene.view().follow();
    timeMoved();
}

void TimelineWidget::setElapsedTime(bool elapsed)
{
    m_scene.setElapsedTime(elapsed);
    m_scene.update();
    viewport()->update();
}

/// How the view moves by itself: on the buttons, and for those who want to know.
void TimelineWidget::showMode()
{
    const ViewMode mode = view().mode();
    if (mode != ViewMode::Free)
        m_scene.setMark(std::nullopt);
    allButton().setChecked(mode == ViewMode::Fit);
    m_liveButton.setChecked(mode == ViewMode::Follow);
    if (m_wasFollowing != isFollowing()) {
        m_wasFollowing = isFollowing();
        Q_EMIT followingChanged(m_wasFollowing);
    }
}

bool TimelineWidget::takeKey(int key)
{
    if (key != Qt::Key_L && key != Qt::Key_Space)
        return false;
    follow();
    return true;
}

void TimelineWidget::tellSelected()
{
    const auto placed = m_scene.chosen();
    Q_EMIT attemptSelected(placed ? std::optional(placed->attempt.key) : std::nullopt);
}

void TimelineWidget::activated()
{
    if (const auto placed = m_scene.chosen())
        Q_EMIT attemptActivated(placed->attempt.key);
}

void TimelineWidget::retranslate()
{
    setAccessibleName(tr("Timeline"));
    m_liveButton.setText(tr("Live"));
    m_liveButton.setToolTip(tr("Follow what happens now (L)"));
    constexpr int margins = 10; // around both
    m_scene.setLeastLabelWidth(margins + allButton().sizeHint().width()
                               + m_liveButton.sizeHint().width());
}

QString TimelineWidget::helpText() const
{
    return tr("Attempts over time, one row for each slot. L follows what happens now.");
}

} // namespace tasuki
