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
constexpr double labelGap = 26;
constexpr double edgeGap = 4;
constexpr int textPadding = 5;
constexpr int majorTickLength = 5;
constexpr int minorTickLength = 3;

Nanoseconds zoneOffset(Nanoseconds time)
{
    static const QTimeZone zone = QTimeZone::systemTimeZone();
    constexpr Nanoseconds second = 1'000'000'000;
    return zone.offsetFromUtc(
               QDateTime::fromMSecsSinceEpoch(time / nanosecondsPerMillisecond, QTimeZone::utc()))
        * second;
}

/// @param local  nanoseconds of local time
QDate dateOf(Nanoseconds local)
{
    return QDateTime::fromMSecsSinceEpoch(local / nanosecondsPerMillisecond, QTimeZone::utc())
        .date();
}

} // namespace

void AxisPainter::setClock(bool elapsed, Nanoseconds start)
{
    m_elapsed = elapsed;
    m_start = start;
}

void AxisPainter::setFont(const QFont& font) { m_font = font; }

int AxisPainter::height() const
{
    return static_cast<int>(2 * QFontMetricsF(m_font).height()) + 3 * textPadding;
}

void AxisPainter::setWindow(const TimeWindow& window, double width)
{
    m_window = window;
    m_step = chooseStep(window, width, [this](const TickStep& step) { return labelWidth(step); });
    const Nanoseconds start = m_start;
    m_ticks = m_elapsed ? ticksOf(window, m_step, [start](Nanoseconds) { return -start; })
                        : ticksOf(window, m_step, zoneOffset);
}

double AxisPainter::labelWidth(const TickStep& step) const
{
    const QFontMetricsF metrics(m_font);
    QString widest;
    if (m_elapsed)
        widest = QString::fromStdString(elapsedLabel(m_window.end() - m_start, step));
    else if (step.unit == TickUnit::Days)
        widest = tr("d MMM", "a day on the time axis").replace("MMM", "Mmmm").replace("d", "00");
    else
        widest = QString::fromStdString(clockLabel(0, step));
    return metrics.horizontalAdvance(widest) + labelGap;
}

QString AxisPainter::labelOf(Nanoseconds local) const
{
    if (m_elapsed)
        return QString::fromStdString(elapsedLabel(local, m_step));
    if (m_step.unit == TickUnit::Days)
        return QLocale().toString(dateOf(local), tr("d MMM", "a day on the time axis"));
    return QString::fromStdString(clockLabel(local, m_step));
}

QString AxisPainter::contextOf(Nanoseconds local) const
{
    if (m_elapsed)
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
    painter.fillRect(rect, QColor::fromRgb(palette.gutter));
    painter.setFont(m_font);
    const QFontMetricsF metrics(m_font);
    const double baseline = rect.bottom() - majorTickLength - textPadding - metrics.descent() + 2;
    const double scale = rect.width() / static_cast<double>(m_window.span);
    for (const AxisTick& tick : m_ticks) {
        const double x = rect.left() + static_cast<double>(tick.time - m_window.begin) * scale;
        const int length = tick.major ? majorTickLength : minorTickLength;
        painter.setPen(QColor::fromRgb(tick.major ? palette.dimText : palette.line));
        painter.drawLine(QPointF(x, rect.bottom() - length), QPointF(x, rect.bottom()));
        if (!tick.major)
            continue;
        const QString label = labelOf(tick.local);
        const double width = metrics.horizontalAdvance(label);
        double left = x - width / 2;
        // Half a time misleads: a label moves inside, or is left out where it would meet the next.
        const double nextLeft = left + static_cast<double>(m_step.major) * scale;
        if (left < rect.left() + edgeGap && rect.left() + 2 * edgeGap + width < nextLeft)
            left = std::max(left, rect.left() + edgeGap);
        if (left < rect.left() || left + width > rect.right())
            continue;
        painter.setPen(QColor::fromRgb(palette.text));
        painter.drawText(QPointF(left, baseline), label);
    }
    paintContext(painter, rect, palette);
    painter.setPen(QColor::fromRgb(palette.line));
    painter.drawLine(rect.bottomLeft(), rect.bottomRight());
    painter.restore();
}

void AxisPainter::paintContext(QPainter& painter, const QRect& rect,
                               const TimelinePalette& palette) const
{
    const QFontMetricsF metrics(m_font);
    const double baseline = rect.top() + textPadding - 1 + metrics.ascent();
    const double scale = rect.width() / static_cast<double>(m_window.span);
    const Nanoseconds offset = m_elapsed ? -m_start : zoneOffset(m_window.begin);
    // The text at the left stays in sight until the next one pushes it away.
    std::vector<std::pair<double, QString>> texts{
        {rect.left() + textPadding, contextOf(m_window.begin + offset)}};
    for (const AxisTick& tick : m_ticks) {
        const QString text = contextOf(tick.local);
        if (tick.major && text != texts.back().second)
            texts.emplace_back(
                rect.left() + static_cast<double>(tick.time - m_window.begin) * scale, text);
    }
    painter.setPen(QColor::fromRgb(palette.dimText));
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
