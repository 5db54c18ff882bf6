// SPDX-License-Identifier: GPL-3.0-or-later
#include "repaints.h"

#include <QApplication>
#include <QKeyEvent>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <ctime>

namespace tasuki::bench {

namespace {

Milliseconds processorTime()
{
    timespec time{};
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
    return std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
}

constexpr int notch = 120;
constexpr std::size_t framesOfRound = 120;

void wheel(TimelineWidget& widget, double x, int delta, Qt::KeyboardModifiers modifiers)
{
    const QPointF position(x, widget.viewport()->height() / 2.0);
    QWheelEvent event(position, widget.viewport()->mapToGlobal(position), {}, {0, delta},
                      Qt::NoButton, modifiers, Qt::NoScrollPhase, false);
    QApplication::sendEvent(widget.viewport(), &event);
}

void key(TimelineWidget& widget, int code)
{
    QKeyEvent event(QEvent::KeyPress, code, Qt::NoModifier);
    QApplication::sendEvent(&widget, &event);
}

/// A round: everything, zoom in at a place that wanders, panning in between, and out again.
void step(TimelineWidget& widget, std::size_t frame)
{
    const std::size_t inRound = frame % framesOfRound;
    const double width = widget.viewport()->width();
    const double wander = 0.5 + 0.4 * std::sin(static_cast<double>(frame) * 0.37);
    if (inRound == 0)
        key(widget, Qt::Key_F);
    else if (inRound % 3 == 0)
        wheel(widget, width / 2, frame % 2 == 0 ? notch : -notch / 3, Qt::ShiftModifier);
    else if (inRound < framesOfRound / 2)
        wheel(widget, width * wander, notch, Qt::ControlModifier);
    else
        wheel(widget, width * wander, -notch, Qt::ControlModifier);
}

} // namespace

void Times::add(Milliseconds time)
{
    m_times.insert(std::upper_bound(m_times.begin(), m_times.end(), time), time);
}

double Times::at(double part) const
{
    if (m_times.empty())
        return 0;
    const double last = static_cast<double>(m_times.size() - 1);
    return m_times[static_cast<std::size_t>(std::ceil(part * last))].count();
}

void RepaintTimes::measure(const std::function<void()>& paint)
{
    const auto wallBegin = std::chrono::steady_clock::now();
    const Milliseconds begin = processorTime();
    paint();
    processor.add(processorTime() - begin);
    wall.add(std::chrono::steady_clock::now() - wallBegin);
}

RepaintTimes drive(TimelineWidget& widget, std::size_t frames,
                   const std::function<void(std::size_t frame)>& each)
{
    widget.viewport()->repaint();
    RepaintTimes times;
    for (std::size_t frame = 0; frame < frames; ++frame) {
        times.measure([&] {
            step(widget, frame);
            widget.viewport()->repaint();
        });
        QApplication::processEvents();
        each(frame);
    }
    return times;
}

} // namespace tasuki::bench
