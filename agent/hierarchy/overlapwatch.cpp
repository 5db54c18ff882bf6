// SPDX-License-Identifier: GPL-3.0-or-later
#include "overlapwatch.h"

#include "domain/systemevents.h"

#include <algorithm>

namespace tasuki::hierarchy {

using std::chrono::floor;
using std::chrono::microseconds;
using std::chrono::nanoseconds;

/// What an operator wanted, who has said goodbye and whose end was seen has not lost its place against its
/// lease.
bool OverlapWatch::losesItsPlace(const MemberRow& row)
{
    const bool lost = row.health == Health::Lost || row.health == Health::Fenced;
    return lost && !row.ended && row.cause != HealthCause::Ordered
        && row.cause != HealthCause::Missing;
}

void OverlapWatch::stopActing(SteadyTime now)
{
    if (!m_at.started())
        return;
    const SteadyTime over = m_lease.over(now);
    const SteadyTime until = std::min(now, over);
    m_book.stopped(m_at.life, m_doing.holding, m_doing.leads, until,
                   m_at.clock.wallNow() - floor<microseconds>(now - until), over >= now);
}

void OverlapWatch::noteLosses(const ClusterTable& before, const ClusterTable& after)
{
    const SteadyTime now = m_at.clock.now();
    for (const MemberRow& row : after.members) {
        const MemberRow& was = *before.member(row.processor);
        const bool another = row.life > was.life;
        if (another && !isUnreachable(was.health))
            m_book.lost(row.processor, row.life.previous(), now);
        else if (!another && !isUnreachable(was.health) && losesItsPlace(row))
            m_book.lost(row.processor, row.life, now);
    }
}

std::optional<microseconds> OverlapWatch::lostFor(ProcessorId processor, Life life) const
{
    const auto known = exactlyLostFor(processor, life);
    return known ? std::optional(floor<microseconds>(*known)) : std::nullopt;
}

std::optional<Overlap> OverlapWatch::hearOfOwnLoss(ProcessorId from,
                                                   std::optional<nanoseconds> lostFor)
{
    const auto overlap = m_book.judge(m_at.clock.now(), m_at.clock.wallNow(), lostFor,
                                      m_at.interval());
    if (overlap)
        m_unfinished = {from, *overlap};
    return overlap;
}

void OverlapWatch::tell(std::uint32_t refused)
{
    if (!m_unfinished)
        return;
    auto [to, overlap] = *std::exchange(m_unfinished, std::nullopt);
    overlap.refused = refused;
    m_book.say(overlap, to);
}

void OverlapWatch::beginAnew()
{
    m_book.forgetStint();
    m_book.forgetLosses();
}

} // namespace tasuki::hierarchy
