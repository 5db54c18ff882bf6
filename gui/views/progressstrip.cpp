// SPDX-License-Identifier: GPL-3.0-or-later
#include "progressstrip.h"

#include "theme.h"

#include <QLocale>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

constexpr int leastSegment = 2;

} // namespace

ProgressStrip::ProgressStrip(QWidget* parent) : QWidget(parent)
{
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    setAccessibleName(tr("Progress of the run"));
}

void ProgressStrip::setSummary(const RunSummary& summary)
{
    m_summary = summary;
    const QLocale locale;
    const auto number = [&](std::size_t n) { return locale.toString(qulonglong{n}); };
    const QString text = tr("%1 of %2 tasks done: %3 succeeded, %4 failed, %5 skipped, "
                            "%6 cancelled; %7 running, %8 queued, %9 held")
                             .arg(number(summary.done()), number(summary.total),
                                  number(summary.succeeded), number(summary.failed),
                                  number(summary.skipped), number(summary.cancelled),
                                  number(summary.running), number(summary.queued),
                                  number(summary.held));
    setToolTip(text);
    setAccessibleDescription(text);
    update();
}

std::array<int, 4> ProgressStrip::segments(const RunSummary& summary, int width)
{
    const std::array counts{summary.succeeded, summary.failed, summary.skipped + summary.cancelled,
                            summary.running};
    std::array<int, 4> ends{};
    if (summary.total == 0)
        return ends;
    int at = 0;
    for (std::size_t i = 0; i < counts.size(); ++i) {
        const double share = static_cast<double>(counts[i]) / static_cast<double>(summary.total)
            * width;
        const int size = counts[i] == 0
            ? 0
            : std::max(leastSegment, static_cast<int>(std::floor(share)));
        at = std::min(width, at + size);
        ends[i] = at;
    }
    const bool allDone = summary.done() >= summary.total;
    if (!allDone)
        return ends;
    // Rounding must not leave a gap at the end of what is done.
    for (std::size_t i = 0; i < ends.size(); ++i) {
        if (ends[i] == at)
            ends[i] = width;
    }
    return ends;
}

void ProgressStrip::paintEvent(QPaintEvent*)
{
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRect frame = rect().adjusted(0, 1, 0, -1);
    QPainterPath shape;
    shape.addRoundedRect(QRectF(frame).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    painter.fillPath(shape, palette().color(QPalette::Base));
    painter.setClipPath(shape);

    const auto ends = segments(m_summary, frame.width());
    const std::array colours{
        theme::state(TaskState::Succeeded, palette()), theme::state(TaskState::Failed, palette()),
        theme::state(TaskState::Cancelled, palette()), theme::state(TaskState::Running, palette())};
    int from = 0;
    for (std::size_t i = 0; i < ends.size(); ++i) {
        const QRect part(frame.x() + from, frame.y(), ends[i] - from, frame.height());
        painter.fillRect(part, colours[i]);
        if (i == 1) {
            QColor stripes = palette().color(QPalette::Base);
            stripes.setAlpha(110);
            painter.fillRect(part, QBrush(stripes, Qt::BDiagPattern));
        }
        from = std::max(from, ends[i]);
    }
    painter.setClipping(false);
    painter.setPen(palette().color(QPalette::Mid));
    painter.drawPath(shape);
}

} // namespace tasuki
