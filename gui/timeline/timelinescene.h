// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "attemptselection.h"
#include "bartexts.h"
#include "lanescene.h"

#include <QCoreApplication>

#include <optional>
#include <utility>
#include <vector>

namespace tasuki {

/// The attempts of a run, one row a lane.
class TimelineScene : public LaneScene {
    Q_DECLARE_TR_FUNCTIONS(tasuki::TimelineScene)

public:
    /// @param store  must outlive the scene; null: nothing to show
    void setStore(const TimelineStore* store);
    void setTaskText(BarTexts::TaskText text);
    void setStyle(const QPalette& palette, const QFont& font) override;
    void setStyle(const TimelinePalette& palette, const QFont& font);
    void setElapsedTime(bool elapsed);
    /// @param live  time goes on; else running attempts end where it stands
    void setNow(WallTime now, bool live);
    /// A moment to point out until the user clicks or looks at something else; none: no more.
    void setMark(std::optional<WallTime> moment) { m_mark = moment; }
    /// The store may have changed.
    void update();

    [[nodiscard]] const TimelineStore* store() const { return m_store; }
    [[nodiscard]] const TimelinePalette& palette() const { return m_palette; }
    [[nodiscard]] WallTime now() const { return m_now; }
    [[nodiscard]] std::optional<WallTime> mark() const { return m_mark; }
    [[nodiscard]] bool isLive() const { return m_live; }
    [[nodiscard]] bool showsElapsedTime() const { return m_elapsed; }
    /// Where a lane's bar of a time range is; at least two pixels wide.
    [[nodiscard]] QRectF rectOf(std::size_t row, const TimelineAttempt& attempt) const;

    /// @return the attempt that a user means who points there: among many in a pixel the failure,
    ///         else the longest
    [[nodiscard]] std::optional<PlacedAttempt> attemptAt(const QPoint& position) const;
    [[nodiscard]] QString describe(const QPoint& position) const override;

    void setSelected(std::optional<TaskId> task, std::optional<AttemptKey> attempt);
    void selectAt(const QPoint& position) override;
    /// In a lane the neighbour in time, above or below the attempt nearest in time.
    bool selectBeside(Side side) override;
    void selectNothing() override { setSelected(std::nullopt, std::nullopt); }
    [[nodiscard]] bool hasSelection() const override { return m_selection.task().has_value(); }
    [[nodiscard]] std::optional<LanePlace> selectedPlace() const override;
    [[nodiscard]] QString selectedText() const override;
    [[nodiscard]] std::optional<TaskId> selectedTask() const { return m_selection.task(); }
    [[nodiscard]] const std::vector<std::pair<std::size_t, TimelineAttempt>>& selected() const
    {
        return m_selection.attempts();
    }
    /// @return the selected attempt, or the latest of the selected task
    [[nodiscard]] std::optional<PlacedAttempt> chosen() const { return m_selection.chosen(); }
    /// @return where the latest attempt of a task is
    [[nodiscard]] std::optional<LanePlace> placeOf(TaskId task) const;

private:
    [[nodiscard]] std::size_t laneCount() const override;
    [[nodiscard]] const TimelinePalette& colours() const override { return m_palette; }
    [[nodiscard]] QString emptyText() const override;
    [[nodiscard]] int labelWidth() const override;
    [[nodiscard]] bool isBand(std::size_t row) const override;
    void paintLabels(QPainter& painter, const QRect& rect) const override;
    void paintRows(QImage& image) override;
    void paintRowShapes(QPainter& painter) override;
    void paintOverRows(QPainter& painter) const override;
    void paintAround(QPainter& painter) const override;
    [[nodiscard]] LaneContents contents() const;
    [[nodiscard]] std::vector<TimelineAttempt> attemptsNear(const QPoint& position) const;

    const TimelineStore* m_store = nullptr;
    TimelinePalette m_palette = TimelinePalette::light();
    BarTexts m_texts;
    WallTime m_now{};
    std::optional<WallTime> m_mark;
    bool m_live = false;
    bool m_elapsed = false;
    AttemptSelection m_selection;
    std::uint64_t m_seenRevision = 0;
    std::uint64_t m_seenLanes = 0;
};

} // namespace tasuki
