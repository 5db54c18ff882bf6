// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"

#include <cstdint>
#include <deque>
#include <memory>
#include <random>
#include <vector>

namespace tasuki::bench {

/// Makes the events of a farm that never stops: tasks are added, start on the lanes in turn, end,
/// and one in a hundred fails. Each event fits what came before.
class EventLoad {
public:
    /// @param ranks, slots  each rank has so many slots
    EventLoad(std::int32_t ranks, std::uint32_t slots, std::uint32_t seed);

    /// What opens the run.
    std::vector<Event> opening(WallTime now);
    /// The next events, all at this moment. About a third each adds, starts and ends tasks.
    std::vector<Event> next(std::size_t count, WallTime now);
    /// The last event: the run is interrupted.
    Event closing(WallTime now);

    [[nodiscard]] std::uint32_t tasks() const { return m_tasks; }

private:
    struct Lane {
        Rank rank;
        SlotIndex slot;
        TaskId task;
        WallTime startedAt{};
        bool busy = false;
    };

    Event event(EventPayload payload, WallTime now);
    EventPayload added();
    EventPayload started(Lane& lane, WallTime now);
    EventPayload finished(Lane& lane, WallTime now);

    std::vector<Lane> m_lanes;
    std::size_t m_nextLane = 0;
    std::deque<TaskId> m_waiting;
    std::shared_ptr<const TaskSettings> m_settings = std::make_shared<const TaskSettings>();
    std::mt19937 m_random;
    std::uint32_t m_tasks = 0;
    EventId m_last{Epoch(1), Sequence(0)};
    WallTime m_opened{};
};

} // namespace tasuki::bench
