// SPDX-License-Identifier: GPL-3.0-or-later
#include "traceaxis.h"

#include <QFontMetricsF>
#include <QLocale>

#include <algorithm>

namespace tasuki {

namespace {

constexpr double spaceBesideLabel = 26;
constexpr double spaceAtEdge = 4;
constexpr int labelPadding = 4;
constexpr int longTick = 5;
constexpr int shortTick = 3;
constexpr int mostDecimals = 3;
constexpr Nanoseconds nsOfMillisecond = 1'000'000;
constexpr Nanoseconds nsOfSecond = 1'000'000'000;

/// @return how many decimals tell times apart that are a step apart
int decimalsOfStep(Nanoseconds step, Nanoseconds unit)
{
    int decimals = 0;
    for (Nanoseconds part = unit; step % part != 0 && part >= 10; part /= 10)
        ++decimals;
    return decimals;
}

} // namespace

QString TraceAxis::label(Nanoseconds time, Nanoseconds step, Nanoseconds end)
{
    const QLocale locale;
    const auto number = [&](Nanoseconds unit) {
        return locale.toString(static_cast<double>(time) / static_cast<double>(unit), 'f',
                               decimalsOfStep(step, unit));
    };
    if (end >= nsOfSecond && decimalsOfStep(step, nsOfSecond) <= mostDecimals)
        return tr("%1 s").arg(number(nsOfSecond));
    if (end >= nsOfMillisecond && decimalsOfStep(step, nsOfMillisecond) <= mostDecimals)
        return tr("%1 ms").arg(number(nsOfMillisecond));
    return tr("%1 µs").arg(number(nanosecondsPerMicrosecond));
}

int TraceAxis::height() const
{
    return static_cast<int>(QFontMetricsF(m_font).height()) + 2 * labelPadding + longTick;
}

void TraceAxis::setWindow(const TimeWindow& window, double width)
{
    m_window = window;
    const QFontMetricsF metrics(m_font);
    m_step = chooseStep(window, width, [&](const TickStep& step) {
        const double ends = std::max(
            metrics.horizontalAdvance(label(window.end(), step.major, window.end())),
            metrics.horizontalAdvance(label(window.begin, step.major, window.end())));
        return ends + spaceBesideLabel;
    });
    m_ticks = ticksOf(window, m_step, [](Nanoseconds) { return Nanoseconds(0); });
}

void TraceAxis::paint(QPainter& painter, const QRect& rect, const TimelinePalette& palette) const
{
    painter.save();
    painter.setClipRect(rect);
    painter.fillRect(rect, QColor::fromRgb(palette.gutter));
    painter.setFont(m_font);
    const QFontMetricsF metrics(m_font);
    const double baseline = rect.top() + labelPadding + metrics.ascent();
    const double scale = rect.width() / static_cast<double>(m_window.span);
    for (const AxisTick& tick : m_ticks) {
        const double x = rect.left() + static_cast<double>(tick.time - m_window.begin) * scale;
        const int length = tick.major ? longTick : shortTick;
        painter.setPen(QColor::fromRgb(tick.major ? palette.dimText : palette.line));
        painter.drawLine(QPointF(x, rect.bottom() - length), QPointF(x, rect.bottom()));
        if (!tick.major)
            continue;
        const QString text = label(tick.time, m_step.major, m_window.end());
        const double width = metrics.horizontalAdvance(text);
        // Half a time misleads: a label moves inside, or is left out where it would meet the next.
        const double left = std::max(x - width / 2, rect.left() + spaceAtEdge);
        const double next = x - width / 2 + static_cast<double>(m_step.major) * scale;
        if (left + width > rect.right() || left + width + spaceAtEdge > next)
            continue;
        painter.setPen(QColor::fromRgb(palette.text));
        painter.drawText(QPointF(left, baseline), text);
    }
    painter.setPen(QColor::fromRgb(palette.line));
    painter.drawLine(rect.bottomLeft(), rect.bottomRight());
    painter.restore();
}

} // namespace tasuki
