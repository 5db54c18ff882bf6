// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timelineview.h"
#include "traceaxis.h"
#include "tracebricks.h"
#include "tracelegend.h"
#include "tracelines.h"
#include "tracepalette.h"
#include "tracestore.h"

#include <QCoreApplication>
#include <QFont>
#include <QImage>
#include <QPainter>
#include <QPalette>
#include <QSize>
#include <QStringList>

#include <memory>
#include <optional>
#include <vector>

namespace tasuki {

/// Everything that the timeline of a trace shows: what is where, and how it is painted. The widget
/// around it turns events into calls. Coordinates are logical pixels from the top left of the scene.
class TraceScene {
    Q_DECLARE_TR_FUNCTIONS(tasuki::TraceScene)

public:
    TraceScene();

    /// @param store  null: nothing to show
    void setStore(std::shared_ptr<const TraceStore> store);
    /// @param notes  [task], for instance the name of its node
    void setRowNotes(const QStringList& notes);
    void setTitle(const QString& title);
    /// @param text  said in the middle when there is nothing to show
    void setEmptyText(const QString& text);
    void setGeometry(QSize size);
    /// @param ratio  device pixels to a logical pixel
    void setRatio(double ratio);
    void setStyle(const QPalette& palette, const QFont& font);
    void setScroll(int pixels);
    void setLeastLabelWidth(int pixels);
    void setMessagesVisible(bool visible);
    void setCriticalPathVisible(bool visible);
    void setLegendVisible(bool visible);
    /// Lets the view reach farther than the timeline, for one beside it that ends later.
    void setContentEnd(std::optional<Nanoseconds> end);
    /// The end of a timeline beside it; marked, and the difference is told.
    void setReferenceEnd(std::optional<double> us);

    TimelineView& view() { return m_view; }
    [[nodiscard]] const TimelineView& view() const { return m_view; }
    /// Zooms, but not so far out that the content is lost. @param x  in the rows' place
    void zoom(double factor, double x);
    [[nodiscard]] const LaneLayout& layout() const { return m_layout; }
    [[nodiscard]] const std::shared_ptr<const TraceStore>& store() const { return m_store; }
    [[nodiscard]] const TracePalette& palette() const { return m_palette; }
    [[nodiscard]] bool isEmpty() const { return !m_store || m_store->tasks() == 0; }
    [[nodiscard]] bool showsMessages() const { return m_withMessages; }
    [[nodiscard]] bool showsCriticalPath() const { return m_withPath; }
    /// @return the width that the labels would have by themselves
    [[nodiscard]] int ownLabelWidth() const { return m_ownLabelWidth; }
    /// Where the rows are: right of the labels, below the axis, above the legend.
    [[nodiscard]] QRect rowsRect() const;
    [[nodiscard]] QRect axisRect() const;
    /// Where the bar of a span is; at least a pixel wide.
    [[nodiscard]] QRectF barOf(std::uint32_t span) const;
    /// The lines between rows, relative to the top left of rowsRect(). Valid while the scene stays
    /// as it is. Precondition: not empty.
    [[nodiscard]] TraceLines lines() const;
    /// @return what stands at the right of the title: how many messages there are, and the end
    [[nodiscard]] QString status() const;

    [[nodiscard]] std::optional<std::uint32_t> taskAt(const QPoint& position) const;
    [[nodiscard]] TraceItem itemAt(const QPoint& position) const;
    /// @return what to tell somebody who points there, as rich text; empty: nothing
    [[nodiscard]] QString describe(const QPoint& position) const;
    /// @return the same of an item, as lines of plain text
    [[nodiscard]] QStringList linesOf(const TraceItem& item) const;

    /// @param item  of this timeline
    void select(const TraceItem& item);
    [[nodiscard]] const TraceItem& selected() const { return m_selected; }
    /// @return the task of what is selected: of a message the sender
    [[nodiscard]] std::optional<std::uint32_t> selectedTask() const;
    /// @return begin and end of an item
    [[nodiscard]] TimeWindow timeOf(const TraceItem& item) const;
    /// @param step  -1: before, 1: after
    /// @return the neighbour of the selected call in its task; without a selection one in the middle
    [[nodiscard]] TraceItem besideInTask(int step) const;
    /// @param step  -1: up, 1: down
    /// @return the call of the next task nearest in time
    [[nodiscard]] TraceItem besideInNextTask(int step) const;
    /// @return the next message of the selected call; of a selected message, what receives it
    [[nodiscard]] TraceItem alongMessage() const;

    void paint(QPainter& painter);
    /// The same with shapes in place of pixels, for a vector format.
    void paintShapes(QPainter& painter);

private:
    void refreshLayout();
    void refreshContent();
    [[nodiscard]] int titleHeight() const;
    [[nodiscard]] int legendHeight() const;
    [[nodiscard]] QString noteOf(trace::Task task) const;
    [[nodiscard]] QStringList describeRow(std::uint32_t task, const QPoint& position) const;
    [[nodiscard]] std::optional<std::uint32_t> spanAt(std::uint32_t task,
                                                      const QPoint& position) const;
    void refreshRows();
    void paintNames(QPainter& painter, const std::vector<TraceNamePlace>& names,
                    double ratio) const;
    void paintOnRows(QPainter& painter, const std::vector<TraceNamePlace>& names,
                     double ratio) const;
    void paintEnd(QPainter& painter, Nanoseconds end, Qt::PenStyle style) const;
    void paintSelection(QPainter& painter) const;
    void paintFrame(QPainter& painter) const;
    void paintTitle(QPainter& painter) const;
    void paintEmpty(QPainter& painter) const;

    std::shared_ptr<const TraceStore> m_store;
    QStringList m_notes;
    QString m_title;
    QString m_emptyText;
    TimelineView m_view;
    LaneLayout m_layout;
    QPalette m_widgetPalette;
    TracePalette m_palette;
    QFont m_font;
    QSize m_size;
    double m_ratio = 1;
    int m_labelWidth = 0;
    int m_ownLabelWidth = 0;
    int m_leastLabelWidth = 0;
    bool m_withMessages = true, m_withPath = false, m_withLegend = true;
    std::optional<Nanoseconds> m_contentEnd;
    std::optional<double> m_referenceEndUs;
    TraceItem m_selected;
    TraceAxis m_axis;
    TraceLegend m_legend;
    QImage m_rows;
    TimeWindow m_paintedWindow;
    bool m_rowsDirty = true;
};

} // namespace tasuki
