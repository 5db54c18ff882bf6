// SPDX-License-Identifier: GPL-3.0-or-later
// Who went on in its place though others had given it up, which needs clocks that are wrong beyond what is
// assumed, notices it when it hears of its loss, and has the system master told: docs/membership.md.
#include "keeper.h"

#include "domain/systemevents.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy {

using std::chrono::floor;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

namespace {

/// What an operator wanted, who has said goodbye and whose end was seen has not lost its place against its
/// lease.
bool losesItsPlace(const MemberRow& row)
{
    const bool lost = row.health == Health::Lost || row.health == Health::Fenced;
    return lost && !row.ended && row.cause != HealthCause::Ordered
        && row.cause != HealthCause::Missing;
}

} // namespace

/// What it does by its lease ends now, or has ended with that when it could not look.
void Keeper::stopActing(SteadyTime now)
{
    if (!m_picture.system().started)
        return;
    const auto [lease, grant] = leaseAndGrant(now);
    const SteadyTime over = std::min(m_leaseFrom + lease, m_grantFrom + grant);
    const SteadyTime until = std::min(now, over);
    m_overlaps.stopped(m_life, m_doing.holding, m_doing.leads, until,
                       m_clock.wallNow() - floor<microseconds>(now - until), over >= now);
}

/// Who is condemned is killed, or waited for until it has given itself up.
/// @param table  its own
void Keeper::heedVerdict(const ClusterTable& table)
{
    const MemberRow& row = *table.member(m_self);
    if (row.health < Health::Condemned)
        return;
    giveUp();
    if (losesItsPlace(row))
        hearOfOwnLoss(table.writer, nanoseconds(0));
}

/// Whose life is over by a table that has come.
void Keeper::noteLosses(const ClusterTable& before, const ClusterTable& after)
{
    const SteadyTime now = m_clock.now();
    for (const MemberRow& row : after.members) {
        const MemberRow& was = *before.member(row.processor);
        const bool another = row.life > was.life;
        if (another && !isAway(was.health))
            m_overlaps.lost(row.processor, row.life - 1, now);
        else if (!another && !isAway(was.health) && losesItsPlace(row))
            m_overlaps.lost(row.processor, row.life, now);
    }
}

void Keeper::giveUpPlace()
{
    wake(m_clock.now()); // who stood still meanwhile knows that its lease is over
    if (m_fenced)
        return;
    giveUp();
    m_overlaps.prove();
    announce();
}

/// Rounded so that it is not said to be longer than it is.
std::optional<microseconds> Keeper::lostFor(ProcessorId processor, std::uint32_t life) const
{
    const auto known = m_overlaps.lostFor(processor, life, m_clock.now());
    return known ? std::optional(floor<microseconds>(*known)) : std::nullopt;
}

/// @param from     who says so, and may know the system master
/// @param lostFor  how long it has been so, as far as that one knows; none: it does not
void Keeper::hearOfOwnLoss(ProcessorId from, std::optional<nanoseconds> lostFor)
{
    auto overlap = m_overlaps.judge(m_clock.now(), m_clock.wallNow(), lostFor, interval());
    if (!overlap)
        return;
    m_overlap = {*overlap, from};
    m_observer.overlapped(*overlap);
}

void Keeper::tellOverlap(std::uint32_t refused)
{
    if (!m_overlap)
        return;
    auto [overlap, to] = *std::exchange(m_overlap, std::nullopt);
    overlap.refused = refused;
    m_overlaps.say(overlap, to);
}

/// Also by who is fenced.
void Keeper::sayOverlap()
{
    if (const auto saying = m_overlaps.due())
        m_control.send(saying->first, saying->second);
}

void Keeper::on(ProcessorId from, const Overlap& overlap)
{
    if (!m_picture.knows(overlap.processor) || overlap.processor == m_self
        || (overlap.holding && !m_picture.subclusterOf(overlap.holding->seat)))
        return;
    if (actsAsSystemMaster()) {
        if (m_overlaps.isNew(overlap))
            m_observer.overlapTold(
                overlap, m_overlaps.lostFor(overlap.processor, overlap.life, m_clock.now()));
        return;
    }
    // Passed on once, by whom it was said to.
    if (const auto top = topOfAll();
        from == overlap.processor && top && top != m_self && top != from)
        send(*top, overlap);
}

} // namespace tasuki::hierarchy
