// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "axispainter.h"
#include "laneraster.h"
#include "timelineview.h"

#include <QCache>
#include <QCoreApplication>
#include <QFont>
#include <QImage>
#include <QPainter>
#include <QSize>
#include <QStaticText>

#include <functional>
#include <optional>
#include <utility>
#include <vector>

namespace tasuki {

/// An attempt and the row of its lane.
struct PlacedAttempt {
    std::size_t row = 0;
    TimelineAttempt attempt;
};

/// Everything that the timeline shows: what is where, and how it is painted. The widget around it
/// turns events into calls. Coordinates are logical pixels from the top left of the scene.
class TimelineScene {
    Q_DECLARE_TR_FUNCTIONS(tasuki::TimelineScene)

public:
    /// @return how a task is called in its bar, for instance the start of its command
    using TaskText = std::function<QString(TaskId)>;

    /// @param store  must outlive the scene; null: nothing to show
    void setStore(const TimelineStore* store);
    void setTaskText(TaskText text);
    void setGeometry(QSize size);
    /// @param ratio  device pixels to a logical pixel
    void setRatio(double ratio);
    void setStyle(const TimelinePalette& palette, const QFont& font);
    /// Width that the column of labels has at least, where there is room.
    void setLeastLabelWidth(int pixels);
    void setElapsedTime(bool elapsed);
    /// @param live  time goes on; else running attempts end where it stands
    void setNow(WallTime now, bool live);
    /// A moment to point out; none: no more.
    void setMark(std::optional<WallTime> moment) { m_mark = moment; }
    void setScroll(int pixels);
    /// The store may have changed.
    void update();

    TimelineView& view() { return m_view; }
    [[nodiscard]] const TimelineView& view() const { return m_view; }
    [[nodiscard]] const LaneLayout& layout() const { return m_layout; }
    [[nodiscard]] const TimelineStore* store() const { return m_store; }
    [[nodiscard]] const TimelinePalette& palette() const { return m_palette; }
    [[nodiscard]] WallTime now() const { return m_now; }
    [[nodiscard]] std::optional<WallTime> mark() const { return m_mark; }
    [[nodiscard]] bool isLive() const { return m_live; }
    [[nodiscard]] bool showsElapsedTime() const { return m_elapsed; }
    [[nodiscard]] bool isEmpty() const { return m_store == nullptr || m_store->laneCount() == 0; }
    /// Where the lanes are: right of the labels, below the axis.
    [[nodiscard]] QRect lanesRect() const;
    /// Where a lane's bar of a time range is; at least two pixels wide.
    [[nodiscard]] QRectF rectOf(std::size_t row, const TimelineAttempt& attempt) const;

    [[nodiscard]] std::optional<std::size_t> rowAt(const QPoint& position) const;
    /// @return the attempt that a user means who points there: among many in a pixel the failure,
    ///         else the longest
    [[nodiscard]] std::optional<PlacedAttempt> attemptAt(const QPoint& position) const;
    /// @return what to tell somebody who points there, as rich text; empty: nothing
    [[nodiscard]] QString describe(const QPoint& position) const;

    void setSelected(std::optional<TaskId> task, std::optional<AttemptKey> attempt);
    [[nodiscard]] std::optional<TaskId> selectedTask() const { return m_selectedTask; }
    [[nodiscard]] const std::vector<std::pair<std::size_t, TimelineAttempt>>& selected() const
    {
        return m_selected;
    }
    /// @return the selected attempt, or the latest of the selected task
    [[nodiscard]] std::optional<PlacedAttempt> chosen() const;
    /// @param step  -1: up, 1: down
    /// @return the attempt nearest in time in the next lane that has one
    [[nodiscard]] std::optional<PlacedAttempt> inNextLane(int step) const;
    /// @param step  -1: before, 1: after
    /// @return the neighbour in time of the chosen attempt, in its lane
    [[nodiscard]] std::optional<PlacedAttempt> inTime(int step) const;

    void paint(QPainter& painter);
    /// The same with shapes in place of pixels, for a vector format.
    void paintShapes(QPainter& painter);

private:
    [[nodiscard]] LaneContents contents() const;
    void refreshSelection();
    void refreshLayout();
    void refreshLanes();
    void refreshLabels();
    void paintSpotTexts();
    bool paintSpotText(QPainter& painter, const LabelSpot& spot);
    void paintLaneShapes(QPainter& painter);
    void paintMarkShapes(QPainter& painter, const std::vector<std::uint8_t>& failures,
                         const RowLines& lines) const;
    void paintSelection(QPainter& painter) const;
    void paintNow(QPainter& painter) const;
    void paintMark(QPainter& painter) const;
    void paintEmpty(QPainter& painter) const;
    [[nodiscard]] std::vector<TimelineAttempt> attemptsNear(const QPoint& position) const;
    const QStaticText& textOf(TaskId task);

    const TimelineStore* m_store = nullptr;
    TaskText m_taskText;
    TimelineView m_view;
    LaneLayout m_layout;
    TimelinePalette m_palette = TimelinePalette::light();
    QFont m_font;
    QFont m_barFont;
    QSize m_size;
    double m_ratio = 1;
    WallTime m_now{};
    std::optional<WallTime> m_mark;
    bool m_live = false;
    bool m_elapsed = false;
    int m_labelWidth = 0;
    int m_leastLabelWidth = 0;
    std::optional<TaskId> m_selectedTask;
    std::optional<AttemptKey> m_selectedAttempt;
    std::vector<std::pair<std::size_t, TimelineAttempt>> m_selected;

    AxisPainter m_axis;
    LaneRaster m_raster;
    QCache<quint32, QStaticText> m_texts{8192};
    QImage m_lanes;
    QImage m_labels;
    std::uint64_t m_seenRevision = 0;
    std::uint64_t m_seenLanes = 0;
    TimeWindow m_paintedWindow;
    WallTime m_paintedNow{};
    bool m_lanesDirty = true;
    bool m_labelsDirty = true;
};

} // namespace tasuki
