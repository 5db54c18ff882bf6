// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timelinestore.h"

#include <optional>
#include <utility>
#include <vector>

namespace tasuki {

/// An attempt and the row of its lane.
struct PlacedAttempt {
    std::size_t row = 0;
    TimelineAttempt attempt;
};

/// Which attempts the timeline points out: those of a task, maybe one of them above the others; and what
/// is beside them.
class AttemptSelection {
public:
    /// Call find() afterwards.
    void set(std::optional<TaskId> task, std::optional<AttemptKey> attempt);
    /// Looks up where the attempts are. Call when the store has changed.
    /// @param store  null: there is nothing
    void find(const TimelineStore* store, WallTime now);

    [[nodiscard]] std::optional<TaskId> task() const { return m_task; }
    /// @return all attempts of the task, with their rows
    [[nodiscard]] const std::vector<std::pair<std::size_t, TimelineAttempt>>& attempts() const
    {
        return m_attempts;
    }
    /// @return whether no attempt of the task is above this one
    [[nodiscard]] bool isMeant(AttemptKey key) const { return !m_attempt || *m_attempt == key; }
    /// @return the selected attempt, or the latest of the selected task
    [[nodiscard]] std::optional<PlacedAttempt> chosen() const;

    /// @param step  -1: before, 1: after
    /// @return the neighbour in time of the chosen attempt, in its lane
    [[nodiscard]] std::optional<PlacedAttempt> inTime(const TimelineStore& store, WallTime now,
                                                      int step) const;
    /// @param step          -1: up, 1: down
    /// @param row, time     where to begin without a selection
    /// @return the attempt nearest in time in the next lane that has one
    [[nodiscard]] std::optional<PlacedAttempt> inNextLane(const TimelineStore& store, WallTime now,
                                                          int step, std::size_t row,
                                                          WallTime time) const;

private:
    std::optional<TaskId> m_task;
    std::optional<AttemptKey> m_attempt;
    std::vector<std::pair<std::size_t, TimelineAttempt>> m_attempts;
};

} // namespace tasuki
