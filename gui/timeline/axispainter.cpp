// SPDX-License-Identifier: GPL-3.0-or-later
#include "axispainter.h"

#include <QDateTime>
#include <QFontMetricsF>
#include <QLocale>
#include <QTimeZone>

#include <algorithm>

namespace tasuki {

namespace {

constexpr Nanoseconds nanosecondsPerMillisecond = 1'000'000;
constexpr Nanoseconds nanosecondsPerSecond = 1'000'000'000;
constexpr double labelGap = 26;
constexpr double edgeGap = 4;
constexpr int textPadding = 5;
constexpr int logPadding = 4; ///< where there is one line
constexpr int majorTickLength = 5;
constexpr int minorTickLength = 3;
constexpr int mostDecimals = 3;

Nanoseconds zoneOffset(Nanoseconds time)
{
    static const QTimeZone zone = QTimeZone::systemTimeZone();
    return zone.offsetFromUtc(
               QDateTime::fromMSecsSinceEpoch(time / nanosecondsPerMillisecond, QTimeZone::utc()))
        * nanosecondsPerSecond;
}

/// @param local  nanoseconds of local time
QDate dateOf(Nanoseconds local)
{
    return QDateTime::fromMSecsSinceEpoch(local / nanosecondsPerMillisecond, QTimeZone::utc())
        .date();
}

/// @return how many decimals tell times apart that are a step apart
int decimalsOfStep(Nanoseconds step, Nanoseconds unit)
{
    int decimals = 0;
    for (Nanoseconds part = unit; step % part != 0 && part >= 10; part /= 10)
        ++decimals;
    return decimals;
}

} // namespace

QString AxisPainter::logLabel(Nanoseconds time, Nanoseconds step, Nanoseconds end)
{
    const QLocale locale;
    const auto number = [&](Nanoseconds unit) {
        return locale.toString(static_cast<double>(time) / static_cast<double>(unit), 'f',
                               decimalsOfStep(step, unit));
    };
    const auto suits = [&](Nanoseconds unit) {
        return end >= unit && decimalsOfStep(step, unit) <= mostDecimals;
    };
    if (suits(nanosecondsPerSecond))
        return tr("%1 s").arg(number(nanosecondsPerSecond));
    if (suits(nanosecondsPerMillisecond))
        return tr("%1 ms").arg(number(nanosecondsPerMillisecond));
    return tr("%1 µs").arg(number(nanosecondsPerMicrosecond));
}

void AxisPainter::setTimes(AxisTimes times, Nanoseconds start)
{
    m_times = times;
    m_start = start;
}

int AxisPainter::height() const
{
    if (m_times == AxisTimes::Log)
        return static_cast<int>(QFontMetricsF(m_font).height()) + 2 * logPadding + majorTickLength;
    return static_cast<int>(2 * QFontMetricsF(m_font).height()) + 3 * textPadding;
}

void AxisPainter::setWindow(const TimeWindow& window, double width)
{
    m_window = window;
    m_step = chooseStep(window, width, [this](const TickStep& step) { return labelWidth(step); });
    m_ticks = ticksOf(window, m_step, [this](Nanoseconds time) { return offsetAt(time); });
}

/// @return what the axis shows minus UTC, or minus the log's time
Nanoseconds AxisPainter::offsetAt(Nanoseconds time) const
{
    switch (m_times) {
    case AxisTimes::TimeOfDay: return zoneOffset(time);
    case AxisTimes::Elapsed: return -m_start;
    case AxisTimes::Log: break;
    }
    return 0;
}

double AxisPainter::labelWidth(const TickStep& step) const
{
    const QFontMetricsF metrics(m_font);
    QString widest;
    if (m_times == AxisTimes::Log) {
        const auto widthAt = [&](Nanoseconds time) {
            return metrics.horizontalAdvance(logLabel(time, step.major, m_window.end()));
        };
        return std::max(widthAt(m_window.end()), widthAt(m_window.begin)) + labelGap;
    }
    if (m_times == AxisTimes::Elapsed)
        widest = QString::fromStdString(elapsedLabel(m_window.end() - m_start, step));
    else if (step.unit == TickUnit::Days)
        widest = tr("d MMM", "a day on the time axis").replace("MMM", "Mmmm").replace("d", "00");
    else
        widest = QString::fromStdString(clockLabel(0, step));
    return metrics.horizontalAdvance(widest) + labelGap;
}

QString AxisPainter::labelOf(Nanoseconds local) const
{
    if (m_times == AxisTimes::Log)
        return logLabel(local, m_step.major, m_window.end());
    if (m_times == AxisTimes::Elapsed)
        return QString::fromStdString(elapsedLabel(local, m_step));
    if (m_step.unit == TickUnit::Days)
        return QLocale().toString(dateOf(local), tr("d MMM", "a day on the time axis"));
    return QString::fromStdString(clockLabel(local, m_step));
}

QString AxisPainter::contextOf(Nanoseconds local) const
{
    if (m_times == AxisTimes::Elapsed)
        return tr("Time since the start");
    const QString format = m_step.unit == TickUnit::Days
        ? tr("yyyy", "a year on the time axis")
        : tr("ddd d MMM yyyy", "a date on the time axis");
    return QLocale().toString(dateOf(local), format);
}

void AxisPainter::paint(QPainter& painter, const QRect& rect, const TimelinePalette& palette) const
{
    painter.save();
    painter.setClipRect(rect);
    painter.fillRect(rect, opaque(palette.gutter));
    painter.setFont(m_font);
    const QFontMetricsF metrics(m_font);
    const double baseline = m_times == AxisTimes::Log
        ? rect.top() + logPadding + metrics.ascent()
        : rect.bottom() - majorTickLength - textPadding - metrics.descent() + 2;
    const double scale = rect.width() / static_cast<double>(m_window.span);
    for (const AxisTick& tick : m_ticks) {
        const double x = rect.left() + static_cast<double>(tick.time - m_window.begin) * scale;
        const int length = tick.major ? majorTickLength : minorTickLength;
        painter.setPen(opaque(tick.major ? palette.dimText : palette.line));
        painter.drawLine(QPointF(x, rect.bottom() - length), QPointF(x, rect.bottom()));
        if (!tick.major)
            continue;
        const QString label = labelOf(tick.local);
        const double width = metrics.horizontalAdvance(label);
        // Half a time misleads: a label moves inside, or is left out where it would meet the next.
        const double left = std::max(x - width / 2, rect.left() + edgeGap);
        const double next = x - width / 2 + static_cast<double>(m_step.major) * scale;
        if (left + width > rect.right() || left + width + edgeGap > next)
            continue;
        painter.setPen(opaque(palette.text));
        painter.drawText(QPointF(left, baseline), label);
    }
    if (m_times != AxisTimes::Log)
        paintContext(painter, rect, palette);
    painter.setPen(opaque(palette.line));
    painter.drawLine(rect.bottomLeft(), rect.bottomRight());
    painter.restore();
}

std::vector<QRgb> AxisPainter::grid(std::size_t columns, QRgb ground,
                                    const TimelinePalette& palette) const
{
    std::vector<QRgb> found(columns, ground);
    const double scale = static_cast<double>(columns) / static_cast<double>(m_window.span);
    for (const AxisTick& tick : m_ticks) {
        const double x = static_cast<double>(tick.time - m_window.begin) * scale;
        if (x >= 0 && x < static_cast<double>(columns))
            found[static_cast<std::size_t>(x)] = tick.major ? palette.gridMajor : palette.gridMinor;
    }
    return found;
}

void AxisPainter::paintContext(QPainter& painter, const QRect& rect,
                               const TimelinePalette& palette) const
{
    const QFontMetricsF metrics(m_font);
    const double baseline = rect.top() + textPadding - 1 + metrics.ascent();
    const double scale = rect.width() / static_cast<double>(m_window.span);
    // The text at the left stays in sight until the next one pushes it away.
    std::vector<std::pair<double, QString>> texts{
        {rect.left() + textPadding, contextOf(m_window.begin + offsetAt(m_window.begin))}};
    for (const AxisTick& tick : m_ticks) {
        const QString text = contextOf(tick.local);
        if (tick.major && text != texts.back().second)
            texts.emplace_back(
                rect.left() + static_cast<double>(tick.time - m_window.begin) * scale, text);
    }
    painter.setPen(opaque(palette.dimText));
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const double width = metrics.horizontalAdvance(texts[i].second) + 2 * textPadding;
        double x = texts[i].first;
        if (i + 1 < texts.size() && x + width > texts[i + 1].first) {
            if (i != 0)
                continue;
            x = texts[1].first - width;
        }
        painter.drawText(QPointF(x, baseline), texts[i].second);
    }
}

} // namespace tasuki
