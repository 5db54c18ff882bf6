// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracecomparison.h"

#include "timeline/imageexport.h"

#include <QEvent>
#include <QScrollBar>
#include <QVBoxLayout>

#include <algorithm>

namespace tasuki {

TraceComparison::TraceComparison(QWidget* parent)
    : QWidget(parent),
      m_upper(new TraceTimelineWidget(this)),
      m_lower(new TraceTimelineWidget(this))
{
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(6);
    layout->addWidget(m_upper, 1);
    layout->addWidget(m_lower, 1);
    m_upper->setLegendVisible(false); // one tells it for both
    couple(m_upper, m_lower);
    couple(m_lower, m_upper);
    retranslate();
}

void TraceComparison::couple(TraceTimelineWidget* from, TraceTimelineWidget* to)
{
    connect(from, &TraceTimelineWidget::viewChanged, this, [this, from, to] {
        if (!m_aligning)
            to->setView(from->view());
    });
    connect(from, &TraceTimelineWidget::ready, this, &TraceComparison::alignTimes);
    connect(from, &TraceTimelineWidget::ownLabelWidthChanged, this, &TraceComparison::alignRows);
    connect(from->verticalScrollBar(), &QScrollBar::rangeChanged, this,
            &TraceComparison::alignRows);
    connect(from, &TraceTimelineWidget::selected, this, [this, from, to](const TraceItem& item) {
        TraceItem other;
        if (item.kind != TraceItem::Kind::Nothing && !to->scene().isEmpty())
            other = from->scene().store()->counterpart(*to->scene().store(), item);
        to->selectQuietly(other);
        Q_EMIT selected(from == m_upper, item);
    });
    connect(from->verticalScrollBar(), &QScrollBar::valueChanged, to->verticalScrollBar(),
            &QScrollBar::setValue);
}

void TraceComparison::setPart(TraceTimelineWidget& widget, const Part& part)
{
    widget.setTitle(part.caption);
    widget.setRowLabels(part.rowLabels);
    widget.setTimeline(part.timeline, part.trace); // aligned when it is ready
}

void TraceComparison::setUpper(const Part& part) { setPart(*m_upper, part); }

void TraceComparison::setLower(const Part& part) { setPart(*m_lower, part); }

/// Gives both the same time, and the lower one the other's end to compare with.
void TraceComparison::alignTimes()
{
    m_aligning = true;
    const auto storeOf = [](const TraceTimelineWidget* widget) {
        return widget->scene().store().get();
    };
    Nanoseconds end = 0;
    for (const TraceTimelineWidget* widget : {m_upper, m_lower}) {
        if (const TraceStore* store = storeOf(widget))
            end = std::max(end, store->end());
    }
    for (TraceTimelineWidget* widget : {m_upper, m_lower})
        widget->setContentEnd(end);
    const TraceStore* upper = storeOf(m_upper);
    m_lower->setReferenceEnd(upper != nullptr ? std::optional(upper->timeline().endUs)
                                              : std::nullopt);
    m_upper->showAll();
    m_lower->showAll();
    m_aligning = false;
}

/// Gives the rows of both the same place from left to right.
void TraceComparison::alignRows()
{
    // Each step may change what the other widget wants, and call this again: asked for every time.
    const auto labels = [this] {
        return std::max(m_upper->scene().ownLabelWidth(), m_lower->scene().ownLabelWidth());
    };
    const auto policy = [this] {
        const bool scrolls = m_upper->verticalScrollBar()->maximum() > 0
            || m_lower->verticalScrollBar()->maximum() > 0;
        return scrolls ? Qt::ScrollBarAlwaysOn : Qt::ScrollBarAsNeeded;
    };
    for (TraceTimelineWidget* widget : {m_upper, m_lower}) {
        widget->setLeastLabelWidth(labels());
        widget->setVerticalScrollBarPolicy(policy());
    }
}

void TraceComparison::setCriticalPathVisible(bool visible)
{
    m_upper->setCriticalPathVisible(visible);
    m_lower->setCriticalPathVisible(visible);
}

void TraceComparison::setMessagesVisible(bool visible)
{
    m_upper->setMessagesVisible(visible);
    m_lower->setMessagesVisible(visible);
}

void TraceComparison::fit() { m_upper->showAll(); }

void TraceComparison::renderTo(QPainter& painter, QSize size) const
{
    const int upper = size.height() * m_upper->height() / std::max(1, height());
    const int lowerTop = size.height() * m_lower->y() / std::max(1, height());
    painter.fillRect(QRect(QPoint(0, 0), size), palette().color(QPalette::Window));
    m_upper->renderTo(painter, {size.width(), upper});
    painter.save();
    painter.translate(0, lowerTop);
    m_lower->renderTo(painter, {size.width(), size.height() - lowerTop});
    painter.restore();
}

Result<void> TraceComparison::exportImage(const QString& path) const
{
    return ImageExport::write(path, size(), devicePixelRatioF(), accessibleName(),
                              [this](QPainter& painter, bool) { renderTo(painter, size()); });
}

void TraceComparison::changeEvent(QEvent* event)
{
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange)
        retranslate();
}

void TraceComparison::retranslate() { setAccessibleName(tr("Two timelines of the tasks")); }

} // namespace tasuki
