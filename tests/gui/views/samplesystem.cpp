// SPDX-License-Identifier: GPL-3.0-or-later
#include "samplesystem.h"

#include <array>

namespace tasuki {

namespace {

using namespace std::chrono_literals;
using std::chrono::microseconds;

constexpr std::uint32_t each = 6; ///< processors of a subcluster
constexpr std::uint32_t active = 4;

HealthChanged health(std::uint32_t processor, Health health, HealthCause cause = HealthCause::None,
                     microseconds detection = notKnown)
{
    return {.processor = ProcessorId(processor),
            .health = health,
            .cause = cause,
            .detection = detection};
}

SeatTaken takeover(std::uint32_t seat, std::uint32_t by, std::uint32_t from, microseconds detection,
                   microseconds takes)
{
    return {.seat = SeatId(seat),
            .incarnation = Incarnation(2),
            .holder = ProcessorId(by),
            .previous = ProcessorId(from),
            .detection = detection,
            .takeover = takes};
}

MasterChanged master(MasterRole role, std::uint32_t index, std::uint32_t processor)
{
    return {.role = role, .index = index, .processor = ProcessorId(processor)};
}

} // namespace

SystemLaidOut SampleSystem::layout()
{
    SystemLaidOut layout;
    for (const char* name : {"antenna", "filter"})
        layout.subclusters.push_back(
            {.name = name, .active = active, .standby = 1, .io = 1, .minimum = 3});
    for (std::uint32_t unit = 0; unit < 4; ++unit) {
        const std::string host = unit < 2 ? "node0" : "node1";
        layout.units.push_back({.name = host + (unit % 2 == 0 ? "/1" : "/2"),
                                .host = host,
                                .subcluster = SubclusterId(unit / 2)});
    }
    for (std::uint32_t id = 0; id < 2 * each; ++id) {
        const std::uint32_t place = id % each;
        const std::uint32_t subcluster = id / each;
        ProcessorInfo info{.id = ProcessorId(id),
                           .subcluster = SubclusterId(subcluster),
                           .unit = UnitId(id / 3),
                           .kind = place == 0    ? ProcessorKind::Io
                               : place <= active ? ProcessorKind::Active
                                                 : ProcessorKind::Standby};
        if (info.kind == ProcessorKind::Active)
            info.seat = SeatId(subcluster * active + place - 1);
        else if (info.kind == ProcessorKind::Io)
            info.seat = SeatId(2 * active + subcluster);
        info.host = subcluster == 0 ? "node0" : "node1";
        info.pid = 4100 + id;
        layout.processors.push_back(info);
    }
    for (std::uint32_t rank = 0; rank < 2 * active; ++rank)
        layout.seats.push_back({.subcluster = SubclusterId(rank / active),
                                .kind = SeatKind::Active,
                                .index = rank % active});
    for (std::uint32_t subcluster = 0; subcluster < 2; ++subcluster)
        layout.seats.push_back(
            {.subcluster = SubclusterId(subcluster), .kind = SeatKind::Io, .index = 0});
    layout.heartbeat = 100ms;
    layout.suspectAfter = 3;
    layout.lostAfter = 10;
    layout.policy = DownPolicy::Continue;
    layout.topologyFile = "chain.toml";
    layout.topologyRevision = 1;
    return layout;
}

std::vector<EventPayload> SampleSystem::begin()
{
    std::vector<EventPayload> events{layout()};
    for (std::uint32_t id = 0; id < 2 * each; ++id)
        events.emplace_back(health(id, Health::Alive));
    for (std::uint32_t unit = 0; unit < 4; ++unit)
        events.emplace_back(master(MasterRole::Unit, unit, unit * 3));
    for (std::uint32_t subcluster = 0; subcluster < 2; ++subcluster) {
        events.emplace_back(master(MasterRole::Cluster, subcluster, subcluster * each));
        events.emplace_back(SubclusterChanged{
            .subcluster = SubclusterId(subcluster), .state = ClusterState::Up, .cause = {}});
    }
    events.emplace_back(master(MasterRole::System, 0, 0));
    events.emplace_back(SystemStarted{});
    return events;
}

std::uint32_t SampleSystem::when(std::uint32_t act)
{
    constexpr std::array<std::uint32_t, acts> percent{20, 26, 32};
    return percent.at(act);
}

SampleSystem::Act SampleSystem::act(std::uint32_t number, WallTime now)
{
    switch (number) {
    case 0:
        return {.before = {health(3, Health::Lost, HealthCause::Gone, 4'200us)},
                .lost = {2},
                .takes = 8'900us,
                .after = {takeover(2, 5, 3, 4'200us, 8'900us), master(MasterRole::Unit, 1, 4)},
                .taken = {2}};
    case 1:
        return {.pause = 300ms,
                .before = {health(8, Health::Suspect, HealthCause::Late),
                           health(8, Health::Condemned, HealthCause::Stopped),
                           health(8, Health::Lost, HealthCause::Stopped, 1'043'000us)},
                .lost = {5},
                .takes = 21'400us,
                .after = {takeover(5, 11, 8, 1'043'000us, 21'400us),
                          AlarmAcknowledged{.alarm = {},
                                            .who = "hana@desk",
                                            .comment = "memory module is being replaced",
                                            .until = now + 8h},
                          ProcessorDrained{
                              .processor = ProcessorId(2), .drained = true, .who = "hana@desk"}},
                .taken = {5}};
    default: break;
    }
    return {.pause = 200ms,
            .before = {health(7, Health::Lost, HealthCause::Gone, 3'700us),
                       SeatVacated{.seat = SeatId(4), .previous = ProcessorId(7)},
                       health(10, Health::Lost, HealthCause::Gone, 5'100us),
                       SeatVacated{.seat = SeatId(7), .previous = ProcessorId(10), .givenUp = true},
                       SubclusterChanged{.subcluster = SubclusterId(1),
                                         .state = ClusterState::Down,
                                         .cause = "2 of 4 ranks are held, 3 is the least"}},
            .lost = {4, 7},
            .after = {health(9, Health::Suspect, HealthCause::Late)}};
}

} // namespace tasuki
