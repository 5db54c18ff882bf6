// SPDX-License-Identifier: GPL-3.0-or-later
#include "tablewriter.h"

#include "tree.h"

#include "domain/systemevents.h"

#include <algorithm>
#include <cassert>

namespace tasuki::hierarchy {

using std::chrono::duration_cast;
using std::chrono::microseconds;

TableWriter::TableWriter(ProcessorId self, const ClusterTable& table, SteadyTime known,
                         std::optional<TableTerm> term)
    : m_table(table)
{
    for (const microseconds age : table.takeovers)
        m_takeovers.push_back(known - age);
    m_table.version = {.term = term.value_or(table.version.term.next()), .revision = 0};
    m_table.writer = self;
    for (const MemberRow& row : m_table.members) {
        const bool works = row.health == Health::Alive || row.health == Health::Suspect;
        if (works && !row.seat && row.processor != self)
            m_unsynced.insert(row.processor);
        if (works && !row.seat && row.life > Life(1))
            m_returned[row.processor] = known;
    }
    if (std::ranges::any_of(m_table.seats, &SeatRow::open)) {
        fillSeats(known); // which a former writer was to give on
        judge();
    }
}

void TableWriter::follows(ProcessorId processor, TableTerm term, SteadyTime now)
{
    if (term < m_table.version.term || m_unsynced.erase(processor) == 0)
        return;
    fillSeats(now);
    judge();
}

void TableWriter::observe(const Observed& observed, SteadyTime now)
{
    MemberRow* const row = m_table.member(observed.processor);
    if (row == nullptr || !observed.concerns(row->life))
        return;
    const auto set = [&](Health health, HealthCause cause) {
        row->health = health;
        row->cause = cause;
        m_changed = true;
    };
    switch (actionFor(observed.what, *row)) {
    case Action::None: return;
    case Action::Admit: set(Health::Alive, HealthCause::None); break;
    case Action::Suspect: set(Health::Suspect, observed.cause); break;
    case Action::Clear: set(Health::Alive, HealthCause::None); break;
    case Action::Fence:
        set(Health::Condemned, observed.cause);
        pass(*row, observed, now);
        break;
    case Action::Await: m_awaited.try_emplace(row->processor, now); return;
    case Action::Bury:
        bury(*row, observed.what == Observation::Returned ? Health::Fenced : Health::Lost, observed,
             now);
        break;
    case Action::Part: bury(*row, Health::Left, observed, now); break;
    case Action::Readmit:
        if (!readmit(*row, observed.life, now))
            return;
        break;
    }
    fillSeats(now);
    judge();
}

/// Passes the verdict about a processor. What an operator wanted was not to be found.
void TableWriter::pass(MemberRow& row, const Observed& observed, SteadyTime now)
{
    // Of who returned it may be known only that its life is over, not since when.
    const bool known = observed.what != Observation::Returned || observed.since.count() > 0;
    const bool found = known && row.cause != HealthCause::Ordered
        && observed.what != Observation::Left;
    row.lostAt.reset();
    row.detection = found ? measured(observed.since) : notKnown;
    m_verdicts[row.processor] = {
        .lostAt = known ? std::optional(now - observed.since) : std::nullopt, .judged = now};
}

/// The processor is no more; its seat is free.
void TableWriter::bury(MemberRow& row, Health health, const Observed& observed, SteadyTime now)
{
    // What condemned it is why it is lost: that its process has ended then is our doing. But what an
    // operator wanted has worked until then.
    const bool condemned = row.health == Health::Condemned;
    if (!condemned)
        row.cause = observed.cause;
    if (!condemned || row.cause == HealthCause::Ordered)
        pass(row, observed, now);
    row.health = health;
    row.ended = observed.what == Observation::Gone || observed.what == Observation::Left;
    m_urgent = m_urgent || health != Health::Left;
    m_awaited.erase(row.processor);
    m_unsynced.erase(row.processor);
    m_returned.erase(row.processor);
    if (row.seat) {
        const auto verdict = m_verdicts.find(row.processor);
        freeSeat(row,
                 verdict != m_verdicts.end() ? std::optional(verdict->second.judged)
                                             : std::nullopt);
    }
    m_changed = true;
}

/// The processor is a standby from now on. What an operator wanted of its earlier life holds, if that
/// was no place in an order.
/// @return whether it is let in
bool TableWriter::readmit(MemberRow& row, Life life, SteadyTime now)
{
    // The first of a unit that is let in would have to kill those of it that are condemned still; they
    // may be on their way back too.
    const bool beingFenced = std::ranges::any_of(m_table.members, [&row](const MemberRow& other) {
        return other.unit == row.unit && other.health == Health::Condemned;
    });
    if (beingFenced || row.cause == HealthCause::Ordered)
        return false;
    row = {.processor = row.processor,
           .unit = row.unit,
           .kind = ProcessorKind::Standby,
           .health = Health::Alive,
           .drained = row.drained,
           .life = life};
    m_verdicts.erase(row.processor);
    // A seat that nobody was there for may be its own again.
    for (SeatRow& seat : m_table.seats) {
        if (seat.previous == row.processor && m_table.holder(seat.seat) == nullptr)
            seat.previous.reset();
    }
    m_returned[row.processor] = now;
    m_changed = m_urgent = true;
    return true;
}

void TableWriter::trustReturned(SteadyTime now, std::chrono::nanoseconds wait)
{
    if (std::erase_if(m_returned, [&](const auto& item) { return now - item.second > wait; }) == 0)
        return;
    fillSeats(now);
    judge();
}

/// @param since  the verdict about its holder; none: a former writer passed it
void TableWriter::freeSeat(MemberRow& row, std::optional<SteadyTime> since)
{
    SeatRow& seat = *m_table.seat(*row.seat);
    seat.previous = row.processor;
    seat.taken = false;
    seat.open = true;
    m_freeSince.erase(seat.seat);
    if (since)
        m_freeSince[seat.seat] = *since;
    row.seat.reset();
    row.vacating = false;
    m_changed = true;
}

/// Gives seats that nobody holds to standbys.
void TableWriter::fillSeats(SteadyTime now)
{
    if (!m_unsynced.empty())
        return;
    for (SeatRow& seat : m_table.seats) {
        m_changed = std::exchange(seat.open, false) || m_changed;
        if (seat.givenUp || seat.kind == SeatKind::Master || m_table.holder(seat.seat) != nullptr)
            continue;
        MemberRow* const next = candidate(seat);
        const bool counts = lostByFault(seat);
        switch (
            seatActionFor(next != nullptr, next == nullptr || !counts || withinIntensity(now))) {
        case SeatAction::Vacate: break;
        case SeatAction::GiveUp:
            seat.givenUp = true;
            m_changed = true;
            break;
        case SeatAction::TakeOver:
            give(seat, *next);
            if (counts)
                m_takeovers.push_back(now);
            break;
        }
    }
}

void TableWriter::give(SeatRow& seat, MemberRow& row)
{
    row.seat = seat.seat;
    seat.incarnation = seat.incarnation.next();
    seat.taken = false;
    seat.takeover = notKnown;
    seat.givenUp = false;
    m_seated.push_back(row.processor);
    m_changed = true;
}

/// @return the first one in the order of succession that lives, has nothing to do and is there for
///         such seats; null: none
MemberRow* TableWriter::candidate(const SeatRow& seat)
{
    MemberRow* first = nullptr;
    for (MemberRow& row : m_table.members) {
        if (row.health == Health::Alive && mayGet(row, seat) && !m_returned.contains(row.processor)
            && (first == nullptr || precedes(row, *first)))
            first = &row;
    }
    return first;
}

/// What an operator wanted is no fault, and not counted as one; nor that nobody has been there yet.
bool TableWriter::lostByFault(const SeatRow& seat) const
{
    const MemberRow* const row = seat.previous ? m_table.member(*seat.previous) : nullptr;
    return row == nullptr ? seat.incarnation != Incarnation()
                          : (isUnreachable(row->health) && row->cause != HealthCause::Ordered);
}

bool TableWriter::withinIntensity(SteadyTime now)
{
    while (!m_takeovers.empty() && now - m_takeovers.front() > m_table.rules.within)
        m_takeovers.pop_front();
    return m_takeovers.size() < m_table.rules.restarts;
}

/// Up or down, once everybody has been there.
void TableWriter::judge()
{
    // Who is lost may be replaced at once.
    if (std::ranges::any_of(m_table.seats, &SeatRow::open))
        return;
    const bool starting = m_table.state == ClusterState::Starting
        && std::ranges::any_of(m_table.members,
                               [](const MemberRow& row) { return row.health == Health::Expected; });
    const ClusterState state = starting               ? ClusterState::Starting
        : m_table.heldRanks() < m_table.rules.minimum ? ClusterState::Down
                                                      : ClusterState::Up;
    if (std::exchange(m_table.state, state) != state)
        m_changed = m_urgent = true;
}

void TableWriter::taken(ProcessorId holder, const Holding& holding, SteadyTime now)
{
    SeatRow* const seat = m_table.seat(holding.seat);
    const MemberRow* const row = m_table.member(holder);
    if (seat == nullptr || row == nullptr || row->seat != holding.seat
        || seat->incarnation != holding.incarnation || seat->taken)
        return;
    seat->taken = true;
    if (const auto vacant = m_freeSince.find(holding.seat); vacant != m_freeSince.end()) {
        seat->takeover = measured(now - vacant->second);
        m_freeSince.erase(vacant);
    } else {
        m_takenSince[holding.seat] = now;
    }
    m_changed = m_urgent = true;
}

void TableWriter::vacated(ProcessorId holder, const Holding& holding, SteadyTime now)
{
    const SeatRow* const seat = m_table.seat(holding.seat);
    MemberRow* const row = m_table.member(holder);
    // Whoever says so has let go, also when this table does not know that it was to.
    if (seat == nullptr || row == nullptr || row->seat != holding.seat
        || seat->incarnation != holding.incarnation)
        return;
    if (!row->vacating && row->health < Health::Condemned) {
        // Its lease was over, and what it did under it is: it begins anew in its seat.
        give(*m_table.seat(holding.seat), *row);
        return;
    }
    freeSeat(*row, now);
    fillSeats(now);
    judge();
}

bool TableWriter::carryOut(ProcessorId issuer, const NumberedOrder& order, SteadyTime now)
{
    if (m_table.ordered.issuer == issuer && order.number <= m_table.ordered.number)
        return false;
    m_table.ordered = {.issuer = issuer, .number = order.number};
    m_changed = true;
    carryOut(order.wanted, now);
    return true;
}

void TableWriter::carryOut(const TableOrder& wanted, SteadyTime now)
{
    std::visit([this](const auto& order) { carryOut(order); }, wanted);
    fillSeats(now);
    judge();
}

void TableWriter::carryOut(const DrainOrder& order)
{
    MemberRow* const row = m_table.member(order.processor);
    if (row == nullptr || row->drained == order.drained)
        return;
    row->drained = order.drained;
    m_changed = true;
}

void TableWriter::carryOut(const PromoteOrder& order)
{
    MemberRow* const row = m_table.member(order.processor);
    if (row == nullptr || row->health >= Health::Condemned)
        return;
    row->promoted = std::ranges::max(m_table.members, {}, &MemberRow::promoted).promoted + 1;
    m_changed = true;
}

void TableWriter::carryOut(const KindOrder& order)
{
    MemberRow* const row = m_table.member(order.processor);
    constexpr auto dedicated = ProcessorKind::DedicatedMaster;
    if (row == nullptr || row->health >= Health::Condemned || row->kind == dedicated
        || order.kind == dedicated)
        return;
    SeatRow* const held = row->seat ? m_table.seat(*row->seat) : nullptr;
    if (order.kind == ProcessorKind::Standby) {
        row->vacating = held != nullptr;
        if (held != nullptr)
            m_seated.push_back(row->processor);
    } else if (held == nullptr) {
        SeatRow* const vacant = m_table.vacantSeat(order.kind);
        if (vacant == nullptr || row->health != Health::Alive || row->drained
            || m_returned.contains(row->processor))
            return;
        give(*vacant, *row);
    } else if (!servesAs(order.kind, held->kind)) {
        return;
    }
    row->kind = order.kind;
    m_changed = true;
}

void TableWriter::carryOut(const RulesOrder& order)
{
    m_changed = m_changed || m_table.rules != order.rules;
    m_table.rules = order.rules;
}

void TableWriter::heardOf(const Holding& holding)
{
    SeatRow* const seat = m_table.seat(holding.seat);
    if (seat != nullptr && holding.incarnation > seat->incarnation)
        goBeyond(*seat, holding.incarnation);
}

void TableWriter::recall(const RecordedSeat& recorded)
{
    if (isBehind(m_table, recorded))
        goBeyond(*m_table.seat(recorded.seat), recorded.incarnation);
}

/// Whoever has the seat by this table, or gets it, must not act under a number that was another one's.
void TableWriter::goBeyond(SeatRow& seat, Incarnation known)
{
    seat.incarnation = m_table.holder(seat.seat) == nullptr ? known : known.next();
    seat.taken = false;
    m_changed = true;
}

/// Writes down when those were lost about whom a verdict was passed here, and how long it took since a
/// former writer's that somebody else has their seat.
void TableWriter::date(SteadyTime now, WallTime wall)
{
    const auto wallOf = [&](SteadyTime then) {
        return wall - std::chrono::floor<microseconds>(now - then);
    };
    for (auto& [processor, verdict] : m_verdicts) {
        if (const auto lost = std::exchange(verdict.lostAt, std::nullopt))
            m_table.member(processor)->lostAt = wallOf(*lost);
    }
    for (const auto& [seat, taken] : std::exchange(m_takenSince, {})) {
        SeatRow& row = *m_table.seat(seat);
        const MemberRow* const lost = row.previous ? m_table.member(*row.previous) : nullptr;
        if (row.takeover == notKnown && lost != nullptr && lost->lostAt)
            row.takeover = measured(wallOf(taken) - *lost->lostAt
                                    - std::max(lost->detection, microseconds(0)));
    }
}

ClusterTablePtr TableWriter::publish(SteadyTime now, WallTime wall)
{
    assert(m_changed);
    date(now, wall);
    m_changed = false;
    ++m_table.version.revision;
    m_table.takeovers.clear();
    for (const SteadyTime then : m_takeovers) {
        if (now - then <= m_table.rules.within)
            m_table.takeovers.push_back(duration_cast<microseconds>(now - then));
    }
    return std::make_shared<const ClusterTable>(m_table);
}

std::vector<ProcessorId> TableWriter::condemned() const
{
    std::vector<ProcessorId> out;
    for (const MemberRow& row : m_table.members) {
        if (row.health == Health::Condemned)
            out.push_back(row.processor);
    }
    return out;
}

std::vector<ProcessorId> TableWriter::leasesOver(SteadyTime now,
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
