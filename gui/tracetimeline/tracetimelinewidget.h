// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/lanearea.h"
#include "tracescene.h"

#include <QFutureWatcher>
#include <QStringList>

#include <memory>
#include <optional>
#include <type_traits>

namespace tasuki {

/// What the tasks of an MPI program did or would do: one row a task, messages as arrows between rows.
/// M follows the message of what is selected, beside the keys of all timelines. GUI thread.
class TraceTimelineWidget : public LaneArea {
    Q_OBJECT

public:
    explicit TraceTimelineWidget(QWidget* parent = nullptr);

    /// Shows a timeline. One of many spans is made ready in another thread; until then the one
    /// before stays, and ready() tells when it is there.
    /// @param timeline  null: nothing
    /// @param trace     which the indexes in the timeline mean; null: calls have no names
    void setTimeline(std::shared_ptr<const plan::Timeline> timeline,
                     std::shared_ptr<const trace::Trace> trace);
    /// The same of one that is ready, for instance because another widget shows it too.
    void setStore(std::shared_ptr<const TraceStore> store);
    /// @param labels  [task], for instance the name of its node; shown beside "task 0"
    void setRowLabels(const QStringList& labels) { change(&TraceScene::setRowNotes, labels); }
    /// A caption above the rows.
    void setTitle(const QString& title);
    [[nodiscard]] const QString& title() const { return m_title; }
    /// @param text  a sentence for when there is nothing to show
    void setEmptyText(const QString& text) { change(&TraceScene::setEmptyText, text); }
    void setLegendVisible(bool visible) { change(&TraceScene::setLegendVisible, visible); }

    /// Selects a call or message of this timeline, and brings it into sight; emits nothing.
    void setSelected(const TraceItem& item);
    /// The same, and what is in sight stays.
    void selectQuietly(const TraceItem& item)
    {
        m_scene.select(item);
        selectionMoved();
    }
    /// Takes over which part of time is shown.
    void setView(const TimelineView& view);

    /// For tests and for those who place other things beside it.
    [[nodiscard]] const TraceScene& scene() const { return m_scene; }
    /// See TraceScene; for one timeline beside another.
    void setContentEnd(std::optional<Nanoseconds> end) { change(&TraceScene::setContentEnd, end); }
    void setReferenceEnd(std::optional<double> us) { change(&TraceScene::setReferenceEnd, us); }
    void setLeastLabelWidth(int pixels) { change(&TraceScene::setLeastLabelWidth, pixels); }

    /// Paints what is in sight as shapes.
    /// @param size  in the painter's units, from its zero
    void renderTo(QPainter& painter, QSize size) const;

    [[nodiscard]] QSize sizeHint() const override { return {960, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 120}; }

public Q_SLOTS:
    void setCriticalPathVisible(bool visible)
    {
        change(&TraceScene::setCriticalPathVisible, visible);
    }
    void setMessagesVisible(bool visible) { change(&TraceScene::setMessagesVisible, visible); }

Q_SIGNALS:
    /// The user has selected a call or message, or nothing.
    void selected(const tasuki::TraceItem& item);
    /// What setTimeline() was told to show is shown.
    void ready();

private:
    using StoreWatcher = QFutureWatcher<std::shared_ptr<const TraceStore>>;

    template <class Scene, class Value>
    void change(void (Scene::*set)(Value), const std::type_identity_t<Value>& value)
    {
        (m_scene.*set)(value);
        placeParts();
    }
    void retranslate() override;
    [[nodiscard]] QString helpText() const override;
    void tellSelected() override;
    bool takeKey(int key) override;
    [[nodiscard]] bool framesFocus() const override { return true; }

    TraceScene m_scene;
    QString m_title;
    std::unique_ptr<StoreWatcher> m_preparing;
};

} // namespace tasuki
