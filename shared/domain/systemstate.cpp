// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemstate.h"

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

Error doesNotFit(std::string what)
{
    return Error{.kind = ErrorKind::Damaged, .message = std::move(what)};
}

std::string numbered(ProcessorId id) { return "processor " + std::to_string(id.value()); }
std::string numbered(SeatId id) { return "seat " + std::to_string(id.value()); }
std::string numbered(UnitId id) { return "unit " + std::to_string(id.value()); }
std::string numbered(SubclusterId id) { return "subcluster " + std::to_string(id.value()); }

template <class Number>
Error notInLayout(Number id)
{
    return doesNotFit(numbered(id) + " is not known");
}

Error noLayout() { return doesNotFit("the system has not been laid out"); }

template <class Number, class Items>
bool isIn(Number id, const Items& items)
{
    return id.value() < items.size();
}

/// Whether the parts of a layout refer to each other as they must.
Result<void> checkReferences(const SystemLaidOut& layout)
{
    for (const UnitInfo& unit : layout.units)
        if (!isIn(unit.subcluster, layout.subclusters))
            return notInLayout(unit.subcluster);
    for (const SeatInfo& seat : layout.seats)
        if (!isIn(seat.subcluster, layout.subclusters))
            return notInLayout(seat.subcluster);
    if (!std::ranges::is_sorted(layout.seats, {}, &SeatInfo::kind))
        return doesNotFit("the seats are not in their order");
    std::vector<char> held(layout.seats.size());
    for (std::size_t i = 0; i < layout.processors.size(); ++i) {
        const ProcessorInfo& processor = layout.processors[i];
        if (i > 0 && processor.id <= layout.processors[i - 1].id)
            return doesNotFit(numbered(processor.id) + " is not in its place");
        if (!isIn(processor.subcluster, layout.subclusters))
            return notInLayout(processor.subcluster);
        if (!isIn(processor.unit, layout.units))
            return notInLayout(processor.unit);
        if (!processor.seat)
            continue;
        if (!isIn(*processor.seat, layout.seats))
            return notInLayout(*processor.seat);
        if (std::exchange(held[processor.seat->value()], 1) != 0)
            return doesNotFit(numbered(*processor.seat) + " is held by two");
    }
    return {};
}

} // namespace

std::string seatName(const SeatLabel& seat)
{
    std::string name = seat.subcluster.empty() ? "" : seat.subcluster + ' ';
    switch (seat.kind) {
    case SeatKind::Active: return name + "rank " + std::to_string(seat.index);
    case SeatKind::Io: return name + "I/O " + std::to_string(seat.index);
    case SeatKind::Master: return name + "master";
    }
    return name;
}

Phrase processorPhrase(const ProcessorLabel& processor)
{
    return (processor.host.empty() ? Phrase::tr("processor %1") : Phrase::tr("processor %1 (%2)"))(
        processor.id.value(), processor.host);
}

std::string placeName(const Failover& failover)
{
    return failover.ofSystem ? "system master" : seatName(failover.place);
}

std::string seatName(const SystemState& state, SeatId id)
{
    return state.find(id) ? seatName(state.label(id)) : numbered(id);
}

std::string processorName(const SystemState& state, ProcessorId id)
{
    return processorPhrase(state.label(id)).text();
}

void SystemState::open()
{
    std::vector<Failover> failovers = std::move(m_failovers);
    *this = {};
    m_failovers = std::move(failovers);
}

Result<void> SystemState::apply(const Stamp& stamp, const SystemLaidOut& event)
{
    if (auto fits = checkReferences(event); !fits)
        return fits;
    std::vector<SystemSubcluster> subclusters;
    for (std::size_t i = 0; i < event.subclusters.size(); ++i) {
        const bool known = i < m_subclusters.size()
            && m_subclusters[i].info.name == event.subclusters[i].name;
        subclusters.push_back(known ? m_subclusters[i] : SystemSubcluster{});
        subclusters.back().info = event.subclusters[i];
    }
    std::vector<SystemUnit> units;
    for (std::size_t i = 0; i < event.units.size(); ++i) {
        const bool known = i < m_units.size() && m_units[i].info == event.units[i];
        units.push_back(known ? m_units[i] : SystemUnit{.info = event.units[i]});
    }
    std::vector<SystemSeat> seats;
    for (std::size_t i = 0; i < event.seats.size(); ++i) {
        // A seat moves only when one was added or taken away before it.
        const auto known = i < m_seats.size() && m_seats[i].info == event.seats[i]
            ? m_seats.begin() + static_cast<std::ptrdiff_t>(i)
            : std::ranges::find(m_seats, event.seats[i], &SystemSeat::info);
        seats.push_back(known != m_seats.end() ? *known : SystemSeat{.info = event.seats[i]});
        seats.back().holder.reset();
    }
    std::map<ProcessorId, SystemProcessor> processors;
    for (const ProcessorInfo& info : event.processors) {
        const auto known = m_processors.find(info.id);
        auto& processor = processors[info.id];
        processor = known != m_processors.end() ? known->second
                                                : SystemProcessor{.info = {}, .since = stamp.at};
        processor.info = info;
        if (!info.seat)
            continue;
        SystemSeat& seat = seats[info.seat->value()];
        seat.holder = info.id;
        seat.incarnation = std::max(seat.incarnation, Incarnation(1));
    }
    m_layout = event;
    m_subclusters = std::move(subclusters);
    m_units = std::move(units);
    m_seats = std::move(seats);
    m_processors = std::move(processors);
    if (m_master && !find(*m_master))
        m_master.reset();
    return {};
}

Result<void> SystemState::apply(const Stamp&, const SystemStarted&)
{
    if (!m_layout)
        return noLayout();
    m_started = true;
    return {};
}

Result<void> SystemState::apply(const Stamp& stamp, const HealthChanged& event)
{
    const auto found = m_processors.find(event.processor);
    if (found == m_processors.end())
        return notInLayout(event.processor);
    SystemProcessor& processor = found->second;
    processor.health = event.health;
    processor.cause = event.cause;
    processor.since = stamp.at;
    processor.lostAt = event.lostAt;
    if (isUnreachable(event.health))
        processor.orders.clear(); // nothing is left to be ordered about
    return {};
}

Result<void> SystemState::apply(const Stamp& stamp, const SeatTaken& event)
{
    if (!isIn(event.seat, m_seats))
        return notInLayout(event.seat);
    const auto holder = m_processors.find(event.holder);
    if (holder == m_processors.end())
        return notInLayout(event.holder);
    const auto previous = event.previous ? m_processors.find(*event.previous) : m_processors.end();
    if (event.previous && previous == m_processors.end())
        return notInLayout(*event.previous);
    // Incarnations may repeat: the first holder is told by the layout as well as by an event of its
    // own, and a successor that could not wait until the tables go on from the record may tell of one
    // once more.
    SystemSeat& seat = m_seats[event.seat.value()];
    std::optional<SeatId>& held = holder->second.info.seat;
    if (held && *held != event.seat)
        return doesNotFit(numbered(event.holder) + " takes " + numbered(event.seat) + " but holds "
                          + numbered(*held));
    if (event.previous)
        m_failovers.push_back({.id = stamp.id,
                               .at = stamp.at,
                               .ofSystem = false,
                               .seat = event.seat,
                               .incarnation = event.incarnation,
                               .place = label(event.seat),
                               .from = label(*event.previous),
                               .to = label(event.holder),
                               .cause = previous->second.cause,
                               .lostAt = previous->second.lostAt,
                               .detection = event.detection,
                               .takeover = event.takeover});
    if (seat.holder && *seat.holder != event.holder) {
        seat.previous = seat.holder;
        m_processors[*seat.holder].info.seat.reset();
    }
    if (event.previous)
        seat.previous = event.previous;
    seat.incarnation = event.incarnation;
    seat.holder = event.holder;
    seat.givenUp = false;
    held = event.seat;
    return {};
}

Result<void> SystemState::apply(const Stamp&, const SeatVacated& event)
{
    if (!isIn(event.seat, m_seats))
        return notInLayout(event.seat);
    const auto previous = m_processors.find(event.previous);
    if (previous == m_processors.end())
        return notInLayout(event.previous);
    SystemSeat& seat = m_seats[event.seat.value()];
    if (seat.holder && *seat.holder != event.previous) {
        // Who was to take it over from a lost holder may be lost before it has: it never held it here.
        SystemProcessor& holder = m_processors.at(*seat.holder);
        if (!isUnreachable(holder.health))
            return doesNotFit(numbered(event.seat) + " is vacated by " + numbered(event.previous)
                              + " but held by " + numbered(*seat.holder));
        holder.info.seat.reset();
    }
    seat.holder.reset();
    seat.previous = event.previous;
    seat.givenUp = event.givenUp;
    if (previous->second.info.seat == event.seat)
        previous->second.info.seat.reset();
    return {};
}

Result<void> SystemState::apply(const Stamp& stamp, const MasterChanged& event)
{
    if (!m_processors.contains(event.processor))
        return notInLayout(event.processor);
    if (event.previous && !m_processors.contains(*event.previous))
        return notInLayout(*event.previous);
    switch (event.role) {
    case MasterRole::Unit:
        if (event.index >= m_units.size())
            return notInLayout(UnitId(event.index));
        m_units[event.index].master = event.processor;
        return {};
    case MasterRole::Cluster:
        if (event.index >= m_subclusters.size())
            return notInLayout(SubclusterId(event.index));
        m_subclusters[event.index].master = event.processor;
        return {};
    case MasterRole::System:
        m_master = event.processor;
        if (event.previous)
            m_failovers.push_back({.id = stamp.id,
                                   .at = stamp.at,
                                   .ofSystem = true,
                                   .seat = {},
                                   .incarnation = {},
                                   .place = {},
                                   .from = label(*event.previous),
                                   .to = label(event.processor),
                                   .cause = m_processors.at(*event.previous).cause,
                                   .lostAt = m_processors.at(*event.previous).lostAt,
                                   .detection = event.detection,
                                   .takeover = event.takeover});
        return {};
    }
    return doesNotFit("a master of an unknown kind");
}

Result<void> SystemState::apply(const Stamp&, const SubclusterChanged& event)
{
    if (!isIn(event.subcluster, m_subclusters))
        return notInLayout(event.subcluster);
    m_subclusters[event.subcluster.value()].state = event.state;
    m_subclusters[event.subcluster.value()].cause = event.cause;
    return {};
}

Result<void> SystemState::apply(const Stamp&, const ProcessorDrained& event)
{
    const auto found = m_processors.find(event.processor);
    if (found == m_processors.end())
        return notInLayout(event.processor);
    found->second.drained = event.drained;
    found->second.drainOrdered = true;
    return {};
}

Result<void> SystemState::apply(const Stamp&, const ProcessorOrdered& event)
{
    const auto found = m_processors.find(event.processor);
    if (found == m_processors.end())
        return notInLayout(event.processor);
    std::vector<ProcessorOrder>& orders = found->second.orders;
    const bool ofPart = event.obstacle.empty() && kindOrdered(event.order).has_value();
    std::erase_if(orders, [&](ProcessorOrder order) {
        return order == event.order || (ofPart && kindOrdered(order));
    });
    if (event.obstacle.empty())
        orders.push_back(event.order);
    return {};
}

const SystemProcessor* SystemState::find(ProcessorId id) const
{
    const auto found = m_processors.find(id);
    return found == m_processors.end() ? nullptr : &found->second;
}

const SystemSeat* SystemState::find(SeatId id) const
{
    return isIn(id, m_seats) ? &m_seats[id.value()] : nullptr;
}

SeatLabel SystemState::label(SeatId id) const
{
    const SystemSeat* seat = find(id);
    if (!seat)
        return {.subcluster = {}, .kind = SeatKind::Active, .index = id.value()};
    const bool several = m_subclusters.size() > 1;
    return {.subcluster = several ? m_subclusters[seat->info.subcluster.value()].info.name : "",
            .kind = seat->info.kind,
            .index = seat->info.index};
}

ProcessorLabel SystemState::label(ProcessorId id) const
{
    const SystemProcessor* processor = find(id);
    return {.id = id, .host = processor ? processor->info.host : ""};
}

} // namespace tasuki
