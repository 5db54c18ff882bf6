// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sessionbench.h"

#include "domain/systemevents.h"

#include <string>
#include <vector>

namespace tasuki::testing {

/// How large a made-up system is.
struct SystemSize {
    std::uint32_t subclusters = 2;
    std::uint32_t units = 2; ///< of a subcluster
    std::uint32_t active = 4;
    std::uint32_t standby = 1;
    std::uint32_t io = 1;
};

/// A system whose processors are numbered through its subclusters s0, s1, ...: in each the I/O
/// processors first, then the active ones, then standbys, dealt to units in blocks.
inline SystemLaidOut madeUpLayout(const SystemSize& size = {})
{
    SystemLaidOut layout;
    const std::uint32_t each = size.io + size.active + size.standby;
    for (std::uint32_t s = 0; s < size.subclusters; ++s) {
        const std::string name = "s" + std::to_string(s);
        layout.subclusters.push_back({.name = name,
                                      .active = size.active,
                                      .standby = size.standby,
                                      .io = size.io,
                                      .minimum = size.active / 2});
        for (std::uint32_t u = 0; u < size.units; ++u)
            layout.units.push_back({.name = name + "/" + std::to_string(u),
                                    .host = name,
                                    .subcluster = SubclusterId(s)});
        for (std::uint32_t p = 0; p < each; ++p) {
            ProcessorInfo info{.id = ProcessorId(s * each + p),
                               .subcluster = SubclusterId(s),
                               .unit = UnitId(s * size.units + p * size.units / each),
                               .kind = ProcessorKind::Standby};
            info.host = name;
            info.pid = 100 + s * each + p;
            if (p < size.io) {
                info.kind = ProcessorKind::Io;
                info.seat = SeatId(size.subclusters * size.active + s * size.io + p);
            } else if (p < size.io + size.active) {
                info.kind = ProcessorKind::Active;
                info.seat = SeatId(s * size.active + p - size.io);
            }
            layout.processors.push_back(info);
        }
    }
    for (const auto& [kind, count] :
         {std::pair{SeatKind::Active, size.active}, std::pair{SeatKind::Io, size.io}}) {
        for (std::uint32_t s = 0; s < size.subclusters; ++s) {
            for (std::uint32_t i = 0; i < count; ++i)
                layout.seats.push_back({.subcluster = SubclusterId(s), .kind = kind, .index = i});
        }
    }
    layout.heartbeat = std::chrono::milliseconds(100);
    layout.suspectAfter = 3;
    layout.lostAfter = 10;
    return layout;
}

inline HealthChanged healthOf(std::uint32_t processor, Health health,
                              HealthCause cause = HealthCause::None,
                              std::chrono::microseconds detection = notKnown,
                              std::optional<WallTime> lostAt = {})
{
    return {.processor = ProcessorId(processor),
            .health = health,
            .cause = cause,
            .detection = detection,
            .lostAt = lostAt};
}

inline SubclusterChanged subclusterIs(std::uint32_t number, ClusterState state,
                                      std::string cause = {})
{
    return {.subcluster = SubclusterId(number), .state = state, .cause = std::move(cause)};
}

/// The beginning of a run with a made-up system: all are alive, all subclusters up.
inline std::vector<EventPayload> systemBegins(const SystemSize& size = {})
{
    std::vector<EventPayload> events{RunOpened{}};
    const SystemLaidOut layout = madeUpLayout(size);
    events.emplace_back(layout);
    for (const ProcessorInfo& info : layout.processors)
        events.emplace_back(healthOf(info.id.value(), Health::Alive));
    for (std::uint32_t s = 0; s < size.subclusters; ++s)
        events.emplace_back(subclusterIs(s, ClusterState::Up));
    events.emplace_back(SystemStarted{});
    return events;
}

/// A takeover as incarnation 2.
inline SeatTaken takeover(std::uint32_t seat, std::uint32_t by, std::uint32_t from)
{
    using std::chrono::microseconds;
    return {.seat = SeatId(seat),
            .incarnation = Incarnation(2),
            .holder = ProcessorId(by),
            .previous = ProcessorId(from),
            .detection = microseconds(4'200),
            .takeover = microseconds(8'900)};
}

} // namespace tasuki::testing
