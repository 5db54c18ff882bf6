// SPDX-License-Identifier: GPL-3.0-or-later
#include "clusterkeeper.h"

#include "tree.h"

#include <algorithm>
#include <cassert>

namespace tasuki::hierarchy {

using std::chrono::duration_cast;
using std::chrono::microseconds;

namespace {

/// Terms that cluster masters can begin between two of a foreign writer.
constexpr std::uint64_t ownTerms = std::uint64_t{1} << 16U;

std::uint64_t termAfter(std::uint64_t term, ClusterKeeper::Scope scope)
{
    return scope == ClusterKeeper::Scope::Own ? term + 1 : (term / ownTerms + 1) * ownTerms;
}

} // namespace

ClusterKeeper::ClusterKeeper(ProcessorId self, const ClusterRules& rules, const ClusterTable& table,
                             Scope scope)
    : m_rules(rules), m_table(table)
{
    m_table.version = {.term = termAfter(table.version.term, scope), .revision = 0};
    m_table.writer = self;
}

void ClusterKeeper::observe(const Observed& observed, SteadyTime now)
{
    MemberRow* const row = m_table.member(observed.processor);
    if (row == nullptr)
        return;
    const auto set = [&](Health health, HealthCause cause) {
        row->health = health;
        row->cause = cause;
        m_changed = true;
    };
    switch (actionFor(observed.what, row->health)) {
    case Action::None: return;
    case Action::Admit: set(Health::Alive, HealthCause::None); break;
    case Action::Suspect: set(Health::Suspect, observed.cause); break;
    case Action::Clear: set(Health::Alive, HealthCause::None); break;
    case Action::Fence:
        set(Health::Condemned, observed.cause);
        row->detection = observed.since;
        break;
    case Action::Await: m_awaited.try_emplace(row->processor, now); return;
    case Action::Bury: bury(*row, Health::Lost, observed, now); break;
    case Action::Part: bury(*row, Health::Left, observed, now); break;
    }
    fillSeats(now);
    judge();
}

/// The processor is no more; its seat is free.
void ClusterKeeper::bury(MemberRow& row, Health health, const Observed& observed, SteadyTime now)
{
    // What condemned it is why it is lost: that its process has ended then is our doing.
    if (row.health != Health::Condemned) {
        row.cause = observed.cause;
        row.detection = observed.since;
    }
    row.health = health;
    m_awaited.erase(row.processor);
    if (row.seat) {
        SeatRow& seat = *m_table.seat(*row.seat);
        seat.previous = row.processor;
        seat.taken = false;
        m_lostAt[seat.seat] = now;
        row.seat.reset();
    }
    m_changed = true;
}

/// Gives seats that nobody holds to standbys.
void ClusterKeeper::fillSeats(SteadyTime now)
{
    for (SeatRow& seat : m_table.seats) {
        if (seat.givenUp || seat.kind == SeatKind::Master || m_table.holder(seat.seat) != nullptr)
            continue;
        MemberRow* const next = standby();
        switch (seatActionFor(next != nullptr, next == nullptr || withinIntensity(now))) {
        case SeatAction::Vacate: return;
        case SeatAction::GiveUp: seat.givenUp = true; break;
        case SeatAction::TakeOver:
            next->seat = seat.seat;
            seat.incarnation = seat.incarnation.next();
            seat.taken = false;
            m_takeovers.push_back(now);
            m_seated.push_back(next->processor);
            break;
        }
        m_changed = true;
    }
}

/// @return the first one in the order of succession that lives and has nothing to do; null: none
MemberRow* ClusterKeeper::standby()
{
    MemberRow* first = nullptr;
    for (MemberRow& row : m_table.members) {
        const bool free = row.health == Health::Alive && !row.seat && !row.drained
            && row.kind != ProcessorKind::DedicatedMaster;
        if (free && (first == nullptr || precedes(row, *first)))
            first = &row;
    }
    return first;
}

bool ClusterKeeper::withinIntensity(SteadyTime now)
{
    while (!m_takeovers.empty() && now - m_takeovers.front() > m_rules.within)
        m_takeovers.pop_front();
    return m_takeovers.size() < m_rules.restarts;
}

/// Up or down, once everybody has been there.
void ClusterKeeper::judge()
{
    const bool starting = m_table.state == ClusterState::Starting
        && std::ranges::any_of(m_table.members,
                               [](const MemberRow& row) { return row.health == Health::Expected; });
    const ClusterState state = starting         ? ClusterState::Starting
        : m_table.heldRanks() < m_rules.minimum ? ClusterState::Down
                                                : ClusterState::Up;
    m_changed = m_changed || state != m_table.state;
    m_table.state = state;
}

void ClusterKeeper::taken(ProcessorId holder, const Holding& holding, SteadyTime now)
{
    SeatRow* const seat = m_table.seat(holding.seat);
    const MemberRow* const row = m_table.member(holder);
    if (seat == nullptr || row == nullptr || row->seat != holding.seat
        || seat->incarnation != holding.incarnation || seat->taken)
        return;
    seat->taken = true;
    if (const auto lost = m_lostAt.find(holding.seat); lost != m_lostAt.end()) {
        seat->takeover = duration_cast<microseconds>(now - lost->second);
        m_lostAt.erase(lost);
    }
    m_changed = true;
}

void ClusterKeeper::drain(ProcessorId processor, bool drained, SteadyTime now)
{
    MemberRow* const row = m_table.member(processor);
    assert(row != nullptr);
    m_changed = m_changed || row->drained != drained;
    row->drained = drained;
    fillSeats(now);
    judge();
}

void ClusterKeeper::heardOf(const Holding& holding)
{
    SeatRow* const seat = m_table.seat(holding.seat);
    if (seat == nullptr || holding.incarnation <= seat->incarnation)
        return;
    // Whoever has the seat by this table, or gets it, must not act under the same number.
    seat->incarnation = m_table.holder(holding.seat) == nullptr ? holding.incarnation
                                                                : holding.incarnation.next();
    seat->taken = false;
    m_changed = true;
}

ClusterTablePtr ClusterKeeper::publish()
{
    assert(m_changed);
    m_changed = false;
    ++m_table.version.revision;
    return std::make_shared<const ClusterTable>(m_table);
}

std::vector<ProcessorId> ClusterKeeper::condemned() const
{
    std::vector<ProcessorId> out;
    for (const MemberRow& row : m_table.members) {
        if (row.health == Health::Condemned)
            out.push_back(row.processor);
    }
    return out;
}

std::vector<ProcessorId> ClusterKeeper::leasesOver(SteadyTime now,
                                                   std::chrono::nanoseconds wait) const
{
    std::vector<ProcessorId> out;
    for (const auto& [processor, since] : m_awaited) {
        if (now - since > wait)
            out.push_back(processor);
    }
    return out;
}

} // namespace tasuki::hierarchy
