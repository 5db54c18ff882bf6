// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracetimelinewidget.h"

#include "imageexport.h"
#include "tracetext.h"

#include <QAccessible>
#include <QPaintEvent>
#include <QPromise>
#include <QScrollBar>
#include <QThreadPool>
#include <QToolButton>

#include <algorithm>

namespace tasuki {

namespace {

constexpr int buttonMargin = 4;
/// Timelines with fewer spans and messages are made ready at once: it takes some 5 ms.
constexpr std::size_t mostAtOnce = 30'000;

} // namespace

TraceTimelineWidget::TraceTimelineWidget(QWidget* parent)
    : LaneArea(parent), m_allButton(new QToolButton(this))
{
    m_allButton->setAutoRaise(true);
    m_allButton->setFocusPolicy(Qt::NoFocus); // the same is done by a key
    connect(m_allButton, &QToolButton::clicked, this, &TraceTimelineWidget::fit);
    restyle();
}

void TraceTimelineWidget::setTimeline(std::shared_ptr<const plan::Timeline> timeline,
                                      std::shared_ptr<const trace::Trace> trace)
{
    m_preparing.reset();
    if (!timeline || timeline->spans.size() + timeline->arrows.size() <= mostAtOnce) {
        setStore(timeline
                     ? std::make_shared<const TraceStore>(std::move(timeline), std::move(trace))
                     : nullptr);
        Q_EMIT ready();
        return;
    }
    using Promise = QPromise<std::shared_ptr<const TraceStore>>;
    const auto promise = std::make_shared<Promise>();
    m_preparing = std::make_unique<StoreWatcher>();
    connect(m_preparing.get(), &StoreWatcher::finished, this, [this] {
        const auto store = m_preparing->result();
        m_preparing.release()->deleteLater(); // it is calling
        setStore(store);
        Q_EMIT ready();
    });
    m_preparing->setFuture(promise->future());
    promise->start();
    QThreadPool::globalInstance()->start(
        [promise, timeline = std::move(timeline), trace = std::move(trace)] {
            promise->addResult(std::make_shared<const TraceStore>(timeline, trace));
            promise->finish();
        });
}

void TraceTimelineWidget::setStore(std::shared_ptr<const TraceStore> store)
{
    m_preparing.reset();
    m_scene.setStore(std::move(store));
    placeParts();
    tellSelection();
    timeMoved();
}

void TraceTimelineWidget::setRowLabels(const QStringList& labels)
{
    m_scene.setRowNotes(labels);
    placeParts();
}

void TraceTimelineWidget::setTitle(const QString& title)
{
    m_title = title;
    m_scene.setTitle(title);
    restyle();
}

void TraceTimelineWidget::setEmptyText(const QString& text)
{
    m_scene.setEmptyText(text);
    viewport()->update();
}

void TraceTimelineWidget::setLegendVisible(bool visible)
{
    m_scene.setLegendVisible(visible);
    placeParts();
}

void TraceTimelineWidget::setContentEnd(std::optional<Nanoseconds> end)
{
    m_scene.setContentEnd(end);
    viewport()->update();
}

void TraceTimelineWidget::setReferenceEnd(std::optional<double> us)
{
    m_scene.setReferenceEnd(us);
    viewport()->update();
}

void TraceTimelineWidget::setLeastLabelWidth(int pixels)
{
    m_scene.setLeastLabelWidth(pixels);
    placeParts();
}

void TraceTimelineWidget::setCriticalPathVisible(bool visible)
{
    m_scene.setCriticalPathVisible(visible);
    placeParts();
}

void TraceTimelineWidget::setMessagesVisible(bool visible)
{
    m_scene.setMessagesVisible(visible);
    viewport()->update();
}

void TraceTimelineWidget::setSelected(const TraceItem& item)
{
    selectQuietly(item);
    if (item.kind != TraceItem::Kind::Nothing)
        bringIntoSight(item);
}

void TraceTimelineWidget::selectQuietly(const TraceItem& item)
{
    m_scene.select(item);
    tellSelection();
    viewport()->update();
}

void TraceTimelineWidget::setView(const TimelineView& view)
{
    m_scene.view() = view;
    m_scene.view().setWidth(m_scene.rowsRect().width());
    viewport()->update();
}

void TraceTimelineWidget::timeMoved()
{
    viewport()->update();
    Q_EMIT viewChanged();
}

void TraceTimelineWidget::paintEvent(QPaintEvent*)
{
    m_scene.setRatio(viewport()->devicePixelRatioF());
    QPainter painter(viewport());
    m_scene.paint(painter);
    if (!hasFocus())
        return;
    painter.setPen(QPen(QColor::fromRgb(m_scene.palette().focus), 2));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(viewport()->rect().adjusted(1, 1, -1, -1));
}

/// A scroll bar that goes away just before makes no event of its own.
void TraceTimelineWidget::showEvent(QShowEvent* event)
{
    LaneArea::showEvent(event);
    placeParts();
}

void TraceTimelineWidget::focusInEvent(QFocusEvent* event)
{
    LaneArea::focusInEvent(event);
    viewport()->update();
}

void TraceTimelineWidget::focusOutEvent(QFocusEvent* event)
{
    LaneArea::focusOutEvent(event);
    viewport()->update();
}

void TraceTimelineWidget::scrollContentsBy(int, int)
{
    m_scene.setScroll(verticalScrollBar()->value());
    viewport()->update();
}

void TraceTimelineWidget::restyle()
{
    setAccessibleName(m_title.isEmpty() ? tr("Timeline of the tasks")
                                        : tr("Timeline of the tasks: %1").arg(m_title));
    m_allButton->setText(tr("All"));
    m_allButton->setToolTip(tr("Show the whole time (F)"));
    m_scene.setStyle(palette(), font());
    tellSelection();
    placeParts();
}

void TraceTimelineWidget::tellSelection()
{
    QString text = tr("Calls and messages over time, one row for each task. Arrow keys left and "
                      "right select calls of a task, up and down other tasks, M follows a message, "
                      "plus and minus zoom, F shows everything.");
    const TraceItem& item = m_scene.selected();
    if (item.kind != TraceItem::Kind::Nothing)
        text = m_scene.linesOf(item).join(QStringLiteral(", ")) + QStringLiteral(". ") + text;
    if (text == accessibleDescription())
        return;
    setAccessibleDescription(text);
    QAccessibleEvent changed(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&changed);
}

void TraceTimelineWidget::placeParts()
{
    m_scene.setGeometry(viewport()->size());
    setScrollRange(m_scene.layout(), 1);
    const QRect axis = m_scene.axisRect();
    const QSize wanted = m_allButton->sizeHint();
    const QSize size(wanted.width(), std::min(wanted.height(), axis.height() - 2));
    m_allButton->setVisible(!m_scene.isEmpty() && buttonMargin + size.width() < axis.left());
    m_allButton->setGeometry(
        {QPoint(buttonMargin, axis.top() + (axis.height() - size.height()) / 2), size});
    viewport()->update();
    if (m_toldLabelWidth == m_scene.ownLabelWidth())
        return;
    m_toldLabelWidth = m_scene.ownLabelWidth();
    Q_EMIT ownLabelWidthChanged();
}

void TraceTimelineWidget::renderTo(QPainter& painter, QSize size) const
{
    TraceScene scene = m_scene;
    scene.setGeometry(size);
    scene.paintShapes(painter);
}

Result<void> TraceTimelineWidget::exportImage(const QString& path) const
{
    const QSize size = viewport()->size();
    const double ratio = viewport()->devicePixelRatioF();
    return ImageExport::write(path, size, ratio, accessibleName(),
                              [&](QPainter& painter, bool vector) {
                                  if (vector) {
                                      renderTo(painter, size);
                                      return;
                                  }
                                  TraceScene scene = m_scene;
                                  scene.setRatio(ratio);
                                  scene.paint(painter);
                              });
}

} // namespace tasuki
