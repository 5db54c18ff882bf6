// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventload.h"

#include <string>
#include <utility>

namespace tasuki::bench {

EventLoad::EventLoad(std::int32_t ranks, std::uint32_t slots, std::uint32_t seed) : m_random(seed)
{
    for (std::int32_t rank = 0; rank < ranks; ++rank) {
        for (std::uint32_t slot = 0; slot < slots; ++slot)
            m_lanes.push_back({.rank = Rank(rank), .slot = SlotIndex(slot), .task = {}});
    }
}

std::vector<Event> EventLoad::opening(WallTime now)
{
    m_opened = now;
    std::vector<Event> events;
    events.push_back(event(RunOpened{.host = "bench",
                                     .version = "bench",
                                     .directory = "/",
                                     .taskList = "load.sh",
                                     .processors = static_cast<std::uint32_t>(m_lanes.size()),
                                     .dedicatedMaster = false},
                           now));
    std::uint32_t slots = 0;
    for (const Lane& lane : m_lanes)
        slots += lane.rank == Rank(0) ? 1U : 0U;
    for (const Lane& lane : m_lanes) {
        if (lane.slot != SlotIndex(0))
            continue;
        events.push_back(event(ProcessorJoined{.rank = lane.rank,
                                               .incarnation = Incarnation(1),
                                               .host = "node" + std::to_string(lane.rank.value()),
                                               .pid = 1000 + lane.rank.value(),
                                               .slots = slots},
                               now));
    }
    return events;
}

std::vector<Event> EventLoad::next(std::size_t count, WallTime now)
{
    std::vector<Event> events;
    events.reserve(count);
    while (events.size() < count) {
        Lane& lane = m_lanes[m_nextLane];
        if (lane.busy) {
            events.push_back(event(finished(lane, now), now));
        } else if (m_waiting.empty()) {
            events.push_back(event(added(), now));
            continue;
        } else {
            events.push_back(event(started(lane, now), now));
        }
        m_nextLane = (m_nextLane + 1) % m_lanes.size();
    }
    return events;
}

Event EventLoad::closing(WallTime now)
{
    return event(RunClosed{.end = RunEnd::Interrupted, .elapsed = now - m_opened}, now);
}

Event EventLoad::event(EventPayload payload, WallTime now)
{
    m_last.sequence = m_last.sequence.next();
    return {
        .id = m_last, .wallTime = now, .monotonic = now - m_opened, .payload = std::move(payload)};
}

EventPayload EventLoad::added()
{
    const TaskId id(m_tasks++);
    m_waiting.push_back(id);
    Task task;
    task.command = "./simulate --case " + std::to_string(id.value());
    task.settings = m_settings;
    task.position = id.value();
    task.line = id.value() + 1;
    return TaskAdded{id, std::move(task)};
}

EventPayload EventLoad::started(Lane& lane, WallTime now)
{
    lane.task = m_waiting.front();
    m_waiting.pop_front();
    lane.startedAt = now;
    lane.busy = true;
    return AttemptStarted{.key = {lane.task, AttemptNumber(1)},
                          .rank = lane.rank,
                          .slot = lane.slot,
                          .startedAt = now};
}

EventPayload EventLoad::finished(Lane& lane, WallTime now)
{
    constexpr unsigned oneIn = 100;
    lane.busy = false;
    AttemptResult result;
    const bool fails = m_random() % oneIn == 0;
    result.outcome = fails ? Outcome::Failed : Outcome::Succeeded;
    result.code = fails ? 1 : 0;
    result.startedAt = lane.startedAt;
    result.elapsed = now - lane.startedAt;
    return AttemptFinished{.key = {lane.task, AttemptNumber(1)},
                           .rank = lane.rank,
                           .slot = lane.slot,
                           .disposition = Disposition::Final,
                           .result = std::move(result)};
}

} // namespace tasuki::bench
