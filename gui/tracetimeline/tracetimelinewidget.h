// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/lanearea.h"
#include "tracescene.h"

#include "domain/result.h"

#include <QFutureWatcher>
#include <QStringList>

#include <memory>
#include <optional>

class QToolButton;

namespace tasuki {

/// What the tasks of an MPI program did or would do: one row a task, time to the right, messages as
/// arrows between rows.
///
///   wheel               zooms at the pointer, or scrolls the rows where they do not fit
///   Ctrl+wheel          zooms at the pointer      +, -         zoom about the middle
///   Shift+wheel, drag   pans                      Ctrl+Left, Ctrl+Right   pan; with Shift a page
///   click               selects a call or message   Left, Right  calls of the task
///   double click        shows it large            Up, Down     calls of the other tasks
///   Escape              selects nothing           M            the call's message, and its receiver
///   Return              shows what is selected large
///   F                   everything                Home, End    first and last of the time
///
/// GUI thread.
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
    void setRowLabels(const QStringList& labels);
    /// A caption above the rows.
    void setTitle(const QString& title);
    [[nodiscard]] const QString& title() const { return m_title; }
    /// @param text  a sentence for when there is nothing to show
    void setEmptyText(const QString& text);
    void setLegendVisible(bool visible);

    /// Selects a call or message of this timeline, and brings it into sight; emits nothing.
    void setSelected(const TraceItem& item);
    /// The same, and what is in sight stays.
    void selectQuietly(const TraceItem& item);
    /// Takes over which part of time is shown.
    void setView(const TimelineView& view);
    [[nodiscard]] const TimelineView& view() const { return m_scene.view(); }

    /// For tests and for those who place other things beside it.
    [[nodiscard]] const TraceScene& scene() const { return m_scene; }
    /// See TraceScene; for one timeline beside another.
    void setContentEnd(std::optional<Nanoseconds> end);
    void setReferenceEnd(std::optional<double> us);
    void setLeastLabelWidth(int pixels);

    /// Paints what is in sight as shapes.
    /// @param size  in the painter's units, from its zero
    void renderTo(QPainter& painter, QSize size) const;
    /// Writes what is in sight to a file: SVG or PDF when the name ends so, else PNG.
    [[nodiscard]] Result<void> exportImage(const QString& path) const;

    [[nodiscard]] QSize sizeHint() const override { return {960, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 120}; }

public Q_SLOTS:
    void setCriticalPathVisible(bool visible);
    void setMessagesVisible(bool visible);
    void zoomIn();
    void zoomOut();
    void fit();

Q_SIGNALS:
    /// The user has selected a call or message, or nothing.
    void selected(const tasuki::TraceItem& item);
    /// Another part of time is shown.
    void viewChanged();
    /// The labels would like another width than before.
    void ownLabelWidthChanged();
    /// What setTimeline() was told to show is shown.
    void ready();

protected:
    void paintEvent(QPaintEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void scrollContentsBy(int dx, int dy) override;
    void wheelEvent(QWheelEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    using StoreWatcher = QFutureWatcher<std::shared_ptr<const TraceStore>>;

    [[nodiscard]] QString describe(const QPoint& position) const override
    {
        return m_scene.describe(position);
    }
    [[nodiscard]] bool canBeDragged() const override { return !m_scene.isEmpty(); }
    void panBy(int pixels) override;
    void clicked(const QPoint& position) override;
    void restyle() override;
    void placeParts() override;
    void timeMoved();
    void zoomAt(double factor, double x);
    bool handlePlainKey(int key);
    bool handlePanKey(const QKeyEvent& event);
    void choose(const TraceItem& item);
    void bringIntoSight(const TraceItem& item);
    void showLarge(const TraceItem& item);
    void tellSelection();

    TraceScene m_scene;
    QString m_title;
    QToolButton* m_allButton;
    int m_toldLabelWidth = 0;
    std::unique_ptr<StoreWatcher> m_preparing;
};

} // namespace tasuki
