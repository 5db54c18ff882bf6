// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracetimelinewidget.h"

#include <QPromise>
#include <QThreadPool>

namespace tasuki {

namespace {

/// Timelines with fewer spans and messages are made ready at once: it takes some 5 ms.
constexpr std::size_t mostAtOnce = 30'000;

} // namespace

TraceTimelineWidget::TraceTimelineWidget(QWidget* parent) : LaneArea(m_scene, parent) { restyle(); }

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
    selectionMoved();
    timeMoved();
}

void TraceTimelineWidget::setTitle(const QString& title)
{
    m_title = title;
    m_scene.setTitle(title);
    restyle();
}

void TraceTimelineWidget::setSelected(const TraceItem& item)
{
    selectQuietly(item);
    if (const auto place = m_scene.selectedPlace())
        bringIntoSight(*place);
}

void TraceTimelineWidget::setView(const TimelineView& view)
{
    m_scene.view() = view;
    m_scene.view().setWidth(m_scene.rowsRect().width());
    viewport()->update();
}

void TraceTimelineWidget::retranslate()
{
    setAccessibleName(m_title.isEmpty() ? tr("Timeline of the tasks")
                                        : tr("Timeline of the tasks: %1").arg(m_title));
}

QString TraceTimelineWidget::helpText() const
{
    return tr("Calls and messages over time, one row for each task. M follows a message.");
}

void TraceTimelineWidget::tellSelected() { Q_EMIT selected(m_scene.selected()); }

bool TraceTimelineWidget::takeKey(int key)
{
    if (key != Qt::Key_M)
        return false;
    if (m_scene.selectAlongMessage())
        selectedByKey();
    return true;
}

void TraceTimelineWidget::renderTo(QPainter& painter, QSize size) const
{
    TraceScene scene = m_scene;
    scene.setGeometry(size);
    scene.paintShapes(painter);
}

} // namespace tasuki
