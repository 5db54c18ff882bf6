// SPDX-License-Identifier: GPL-3.0-or-later
// The half of TraceTimelineWidget that takes input.
#include "tracetimelinewidget.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

constexpr double wheelNotch = 120;  ///< in Qt's units
constexpr double zoomOfWheel = 0.8; ///< the span after a notch, as a part of that before
constexpr double zoomOfKey = 1.5;   ///< how many times as much or as little
constexpr double panOfWheel = 80;   ///< pixels
constexpr double panStep = 0.1;     ///< part of the width
constexpr double panPage = 0.9;     ///< the same
constexpr double largePart = 0.5;   ///< of the width, for what is shown large

} // namespace

void TraceTimelineWidget::wheelEvent(QWheelEvent* event)
{
    const QPoint delta = event->angleDelta();
    const double along = delta.x() != 0 ? delta.x() : delta.y();
    const bool scrolls = verticalScrollBar()->maximum() > 0;
    if (m_scene.isEmpty()) {
        event->ignore();
        return;
    }
    if (event->modifiers().testFlag(Qt::ShiftModifier) || delta.x() != 0) {
        m_scene.view().pan(-along / wheelNotch * panOfWheel);
        timeMoved();
    } else if (event->modifiers().testFlag(Qt::ControlModifier) || !scrolls) {
        zoomAt(std::pow(zoomOfWheel, along / wheelNotch),
               event->position().x() - m_scene.rowsRect().left());
    } else {
        LaneArea::wheelEvent(event);
        return;
    }
    event->accept();
}

void TraceTimelineWidget::zoomAt(double factor, double x)
{
    m_scene.zoom(factor, std::clamp(x, 0.0, m_scene.view().width()));
    timeMoved();
}

void TraceTimelineWidget::zoomIn() { zoomAt(1 / zoomOfKey, m_scene.view().width() / 2); }

void TraceTimelineWidget::zoomOut() { zoomAt(zoomOfKey, m_scene.view().width() / 2); }

void TraceTimelineWidget::fit()
{
    m_scene.view().showAll();
    timeMoved();
}

void TraceTimelineWidget::panBy(int pixels)
{
    m_scene.view().pan(pixels);
    timeMoved();
}

void TraceTimelineWidget::clicked(const QPoint& position)
{
    if (!m_scene.isEmpty() && m_scene.rowsRect().contains(position))
        choose(m_scene.itemAt(position));
}

void TraceTimelineWidget::mouseDoubleClickEvent(QMouseEvent* event)
{
    if (event->button() == Qt::LeftButton)
        showLarge(m_scene.itemAt(event->position().toPoint()));
}

void TraceTimelineWidget::keyPressEvent(QKeyEvent* event)
{
    const auto modifiers = event->modifiers() & ~(Qt::KeypadModifier | Qt::ShiftModifier);
    const bool known = !m_scene.isEmpty()
        && (handlePanKey(*event) || (modifiers == Qt::NoModifier && handlePlainKey(event->key())));
    if (!known)
        LaneArea::keyPressEvent(event);
}

bool TraceTimelineWidget::handlePanKey(const QKeyEvent& event)
{
    const bool shift = event.modifiers().testFlag(Qt::ShiftModifier);
    const bool control = event.modifiers().testFlag(Qt::ControlModifier);
    const bool sideways = event.key() == Qt::Key_Left || event.key() == Qt::Key_Right;
    if (!sideways || (!shift && !control))
        return false;
    const double step = m_scene.view().width() * (shift ? panPage : panStep);
    m_scene.view().pan(event.key() == Qt::Key_Left ? -step : step);
    timeMoved();
    return true;
}

bool TraceTimelineWidget::handlePlainKey(int key)
{
    const auto move = [this](const TraceItem& item) {
        if (item.kind == TraceItem::Kind::Nothing)
            return;
        choose(item);
        bringIntoSight(item);
    };
    switch (key) {
    case Qt::Key_Left: move(m_scene.besideInTask(-1)); break;
    case Qt::Key_Right: move(m_scene.besideInTask(1)); break;
    case Qt::Key_Up: move(m_scene.besideInNextTask(-1)); break;
    case Qt::Key_Down: move(m_scene.besideInNextTask(1)); break;
    case Qt::Key_M: move(m_scene.alongMessage()); break;
    case Qt::Key_Plus:
    case Qt::Key_Equal: zoomIn(); break;
    case Qt::Key_Minus: zoomOut(); break;
    case Qt::Key_F: fit(); break;
    case Qt::Key_Home:
        m_scene.view().showFirst();
        timeMoved();
        break;
    case Qt::Key_End:
        m_scene.view().showLast();
        timeMoved();
        break;
    case Qt::Key_Return:
    case Qt::Key_Enter: showLarge(m_scene.selected()); break;
    case Qt::Key_Escape:
        if (m_scene.selected().kind == TraceItem::Kind::Nothing)
            return false;
        choose({});
        break;
    default: return false;
    }
    return true;
}

void TraceTimelineWidget::choose(const TraceItem& item)
{
    m_scene.select(item);
    tellSelection();
    viewport()->update();
    Q_EMIT selected(item);
}

void TraceTimelineWidget::bringIntoSight(const TraceItem& item)
{
    if (const auto task = m_scene.selectedTask())
        scrollToRow(m_scene.layout(), *task);
    const TimeWindow time = m_scene.timeOf(item);
    const TimeWindow before = m_scene.view().window();
    m_scene.view().reveal(time.begin, time.end());
    if (before != m_scene.view().window())
        timeMoved();
}

void TraceTimelineWidget::showLarge(const TraceItem& item)
{
    if (item.kind == TraceItem::Kind::Nothing)
        return;
    TimelineView& view = m_scene.view();
    const TimeWindow time = m_scene.timeOf(item);
    const double wanted = static_cast<double>(std::max<Nanoseconds>(time.span, 1)) / largePart;
    const Nanoseconds middle = time.begin + time.span / 2;
    m_scene.zoom(wanted / static_cast<double>(view.window().span), view.xOf(middle));
    view.pan(view.xOf(middle) - view.width() / 2);
    timeMoved();
}

} // namespace tasuki
