// SPDX-License-Identifier: GPL-3.0-or-later
// The half of TimelineWidget that takes input.
#include "timelinewidget.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>

#include <cmath>

namespace tasuki {

namespace {

constexpr double notch = 120;         ///< of a wheel, in Qt's units
constexpr double zoomOfNotch = 0.8;   ///< the span after a notch, as a part of that before
constexpr double panOfNotch = 80;     ///< pixels
constexpr double panOfKey = 0.1;      ///< part of the width
constexpr double panOfShiftKey = 0.9; ///< the same with Shift

} // namespace

void TimelineWidget::wheelEvent(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    const double along = delta.x() != 0 ? delta.x() : delta.y();
    if (event->modifiers().testFlag(Qt::ControlModifier)) {
        const double x = event->position().x() - m_scene.lanesRect().left();
        m_scene.view().zoom(std::pow(zoomOfNotch, along / notch),
                            std::clamp(x, 0.0, m_scene.view().width()));
        viewChanged();
    } else if (event->modifiers().testFlag(Qt::ShiftModifier) || delta.x() != 0) {
        m_scene.view().pan(-along / notch * panOfNotch);
        viewChanged();
    } else {
        LaneArea::wheelEvent(event);
        return;
    }
    event->accept();
}

void TimelineWidget::panBy(int pixels)
{
    m_scene.view().pan(pixels);
    viewChanged();
}

void TimelineWidget::clicked(const QPoint& position)
{
    if (m_scene.isEmpty())
        return;
    m_scene.setMark(std::nullopt);
    if (const auto placed = m_scene.attemptAt(position))
        choose(*placed);
    viewport()->update();
}

void TimelineWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (m_scene.isEmpty() || event->button() != Qt::LeftButton)
        return;
    if (const auto placed = m_scene.attemptAt(event->position().toPoint()))
        Q_EMIT attemptActivated(placed->attempt.key);
}

void TimelineWidget::keyPressEvent(QKeyEvent* event)
{
    if (m_scene.isEmpty() || !handleKey(*event))
        LaneArea::keyPressEvent(event);
}

bool TimelineWidget::handleKey(const QKeyEvent& event)
{
    const bool control = event.modifiers().testFlag(Qt::ControlModifier);
    const bool plain = !(event.modifiers()
                         & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (!plain && (event.key() == Qt::Key_F || event.key() == Qt::Key_L))
        return false; // somebody else's shortcut
    const bool shift = event.modifiers().testFlag(Qt::ShiftModifier);
    TimelineView& view = m_scene.view();
    const double step = view.width() * (shift ? panOfShiftKey : panOfKey);
    switch (event.key()) {
    case Qt::Key_Left: control ? chooseInTime(-1) : view.pan(-step); break;
    case Qt::Key_Right: control ? chooseInTime(1) : view.pan(step); break;
    case Qt::Key_Up: chooseInLane(-1); break;
    case Qt::Key_Down: chooseInLane(1); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomIn(); break;
    case Qt::Key_Minus: zoomOut(); break;
    case Qt::Key_Home: view.showFirst(); break;
    case Qt::Key_End: view.showLast(); break;
    case Qt::Key_F: view.showAll(); break;
    case Qt::Key_L:
    case Qt::Key_Space: view.follow(); break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (const auto placed = m_scene.chosen())
            Q_EMIT attemptActivated(placed->attempt.key);
        break;
    default: return false;
    }
    viewChanged();
    return true;
}

void TimelineWidget::choose(const PlacedAttempt& placed)
{
    m_scene.setSelected(placed.attempt.key.task, placed.attempt.key);
    viewport()->update();
    Q_EMIT attemptSelected(placed.attempt.key);
}

void TimelineWidget::chooseInLane(int step)
{
    if (const auto placed = m_scene.inNextLane(step)) {
        choose(*placed);
        bringIntoSight(*placed);
    }
}

void TimelineWidget::chooseInTime(int step)
{
    if (const auto placed = m_scene.inTime(step)) {
        choose(*placed);
        bringIntoSight(*placed);
    }
}

} // namespace tasuki
