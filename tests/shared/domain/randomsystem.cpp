// SPDX-License-Identifier: GPL-3.0-or-later
#include "randomsystem.h"

#include <algorithm>
#include <iterator>

namespace tasuki {

Phrase somePhrase(const std::string& text)
{
    return text.size() % 2 == 0
        ? Phrase(text)
        : Phrase::tr("%2 of %1")(text.size(), Phrase::tr("%1; %2")(Phrase::tr("no"), "\xff\n%1"));
}

void RandomSystem::open() { m_laidOut = false; }

std::uint32_t RandomSystem::below(std::uint32_t limit)
{
    return std::uniform_int_distribution<std::uint32_t>(0, limit - 1)(*m_random);
}

std::string RandomSystem::bytes(std::uint32_t maximum)
{
    std::string text;
    for (std::uint32_t left = below(maximum + 1); left > 0; --left)
        text += static_cast<char>(below(256));
    return text;
}

ProcessorId RandomSystem::someProcessor()
{
    return m_layout.processors[below(static_cast<std::uint32_t>(m_layout.processors.size()))].id;
}

SystemLaidOut RandomSystem::layOut()
{
    SystemLaidOut layout;
    const std::uint32_t subclusters = 1 + below(2);
    const auto addSeats = [&](SeatKind kind, std::uint32_t SubclusterInfo::*count) {
        for (std::uint32_t s = 0; s < subclusters; ++s)
            for (std::uint32_t i = 0; i < layout.subclusters[s].*count; ++i)
                layout.seats.push_back({SubclusterId(s), kind, i});
    };
    for (std::uint32_t s = 0; s < subclusters; ++s) {
        layout.subclusters.push_back(
            {"cluster" + std::to_string(s), 1 + below(3), 1 + below(2), below(2), below(2)});
        layout.units.push_back({"unit" + std::to_string(s), bytes(6), SubclusterId(s)});
    }
    addSeats(SeatKind::Active, &SubclusterInfo::active);
    addSeats(SeatKind::Io, &SubclusterInfo::io);
    std::uint32_t next = below(3);
    const auto addProcessor = [&](SubclusterId s, ProcessorKind kind, std::optional<SeatId> seat) {
        layout.processors.push_back({.id = ProcessorId(next),
                                     .subcluster = s,
                                     .unit = UnitId(s.value()),
                                     .kind = kind,
                                     .seat = seat,
                                     .host = bytes(5),
                                     .pid = below(70'000)});
        next += 1 + below(2);
    };
    for (std::uint32_t i = 0; i < layout.seats.size(); ++i)
        addProcessor(layout.seats[i].subcluster,
                     layout.seats[i].kind == SeatKind::Io ? ProcessorKind::Io
                                                          : ProcessorKind::Active,
                     SeatId(i));
    for (std::uint32_t s = 0; s < subclusters; ++s)
        for (std::uint32_t i = 0; i < layout.subclusters[s].standby; ++i)
            addProcessor(SubclusterId(s), ProcessorKind::Standby, std::nullopt);
    layout.heartbeat = std::chrono::milliseconds(below(1000));
    layout.suspectAfter = below(10);
    layout.lostAfter = below(100);
    layout.policy = static_cast<DownPolicy>(below(3));
    layout.topologyFile = bytes(9);
    layout.topologyText = bytes(200);
    layout.topologyRevision = (std::uint64_t{below(4)} << 62U) | below(1000);
    return layout;
}

MasterChanged RandomSystem::master()
{
    MasterChanged event;
    event.role = static_cast<MasterRole>(below(3));
    event.index = below(static_cast<std::uint32_t>(m_layout.subclusters.size()));
    event.processor = someProcessor();
    if (below(2) != 0) {
        event.previous = someProcessor();
        event.detection = std::chrono::microseconds(1 + below(100'000));
        event.takeover = notKnown;
        m_failovers += event.role == MasterRole::System ? 1U : 0U;
    }
    return event;
}

EventPayload RandomSystem::next(std::mt19937& random)
{
    m_random = &random;
    if (!m_laidOut) {
        m_laidOut = true;
        m_layout = layOut();
        m_holders.clear();
        m_incarnations.clear();
        m_health.clear();
        for (const ProcessorInfo& processor : m_layout.processors) {
            m_health[processor.id] = Health::Expected;
            if (processor.seat) {
                m_holders[*processor.seat] = processor.id;
                m_incarnations[*processor.seat] = 1;
            }
        }
        return m_layout;
    }
    const auto duration = [this] {
        return below(9) == 0 ? notKnown : std::chrono::microseconds(1 + below(100'000));
    };
    switch (below(11)) {
    case 0: return SystemStarted{};
    case 10: return WorldStarted{.world = below(3), .generation = below(99), .name = bytes(9)};
    case 1: return master();
    case 2:
        return SubclusterChanged{
            SubclusterId(below(static_cast<std::uint32_t>(m_layout.subclusters.size()))),
            static_cast<ClusterState>(below(3)), somePhrase(bytes(9))};
    case 3: return ProcessorDrained{someProcessor(), below(2) == 0, bytes(9)};
    case 4:
        if (!m_alarms.empty()) {
            const auto alarm = std::next(m_alarms.begin(),
                                         below(static_cast<std::uint32_t>(m_alarms.size())));
            AlarmAcknowledged event{alarm->first, bytes(9), bytes(9)};
            if (below(2) == 0)
                event.until = WallTime(std::chrono::microseconds(below(2'000'000'000)));
            return event;
        }
        break;
    case 5:
    case 6: return move();
    case 7:
        return ProcessorOrdered{someProcessor(), static_cast<ProcessorOrder>(below(5)), bytes(9),
                                somePhrase(below(3) == 0 ? bytes(9) : "")};
    case 8: {
        RunEnding ending{.kill = below(2) == 0};
        if (below(2) == 0)
            ending.restartFor = SubclusterId(
                below(static_cast<std::uint32_t>(m_layout.subclusters.size())));
        return ending;
    }
    default: break;
    }
    const HealthChanged event{
        someProcessor(), static_cast<Health>(below(7)), static_cast<HealthCause>(below(8)),
        duration(),
        below(2) == 0 ? std::optional(WallTime(std::chrono::seconds(below(9999)))) : std::nullopt};
    m_health[event.processor] = event.health;
    return event;
}

/// A seat gets another holder, or none.
EventPayload RandomSystem::move()
{
    const SeatId seat(below(static_cast<std::uint32_t>(m_layout.seats.size())));
    const auto held = m_holders.find(seat);
    std::vector<ProcessorId> idle;
    for (const ProcessorInfo& processor : m_layout.processors)
        if (std::ranges::none_of(m_holders,
                                 [&](const auto& item) { return item.second == processor.id; }))
            idle.push_back(processor.id);
    if (held != m_holders.end() && (idle.empty() || below(3) == 0)) {
        const ProcessorId previous = held->second;
        m_holders.erase(held);
        return SeatVacated{seat, previous, below(2) == 0};
    }
    SeatTaken taken{.seat = seat,
                    .incarnation = Incarnation(m_incarnations[seat] += 1 + below(2)),
                    .holder = idle[below(static_cast<std::uint32_t>(idle.size()))],
                    .detection = std::chrono::microseconds(1 + below(90'000)),
                    .takeover = std::chrono::microseconds(1 + below(90'000))};
    if (held != m_holders.end()) {
        taken.previous = held->second;
        ++m_failovers;
    }
    m_holders[seat] = taken.holder;
    return taken;
}

void RandomSystem::note(const Event& event)
{
    const auto* health = std::get_if<HealthChanged>(&event.payload);
    const auto* down = std::get_if<SubclusterChanged>(&event.payload);
    const auto* notice = std::get_if<Notice>(&event.payload);
    if ((health && (health->health == Health::Lost || health->health == Health::Fenced)
         && health->cause != HealthCause::Ordered)
        || std::holds_alternative<SeatVacated>(event.payload)
        || (down && down->state == ClusterState::Down)
        || (notice && notice->severity == Severity::Failure))
        m_alarms[event.id] = {};
    if (const auto* said = std::get_if<AlarmAcknowledged>(&event.payload))
        m_alarms[said->alarm] = event.id;
}

} // namespace tasuki
