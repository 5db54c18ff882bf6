// SPDX-License-Identifier: GPL-3.0-or-later
#include "overlapbook.h"

#include <algorithm>

namespace tasuki::hierarchy {

namespace {

/// By this share of a time two clocks may differ that are both as they are assumed to be: each wrong by 2 %,
/// and a little more.
constexpr int assumedShare = 24;
/// A word of it may be lost, and whom it is said to may not be the system master.
constexpr int sayings = 10;

} // namespace

std::optional<Overlap> OverlapBook::judge(SteadyTime now, WallTime wall,
                                          std::optional<Nanoseconds> lostFor, Nanoseconds beat)
{
    if (!m_stint || (!m_stint->proven && !(lostFor && wentOn(now, wall, *lostFor, beat))))
        return std::nullopt;
    const Overlap overlap{.processor = m_self,
                          .life = m_stint->life,
                          .holding = m_stint->holding,
                          .led = m_stint->led,
                          .certain = m_stint->held};
    m_stint.reset();
    if (!overlap.holding && !overlap.led)
        return std::nullopt;
    return overlap;
}

bool OverlapBook::wentOn(SteadyTime now, WallTime wall, Nanoseconds lostFor, Nanoseconds beat) const
{
    // The word was on its way for a while: it was given up so long ago or longer.
    const Nanoseconds atLeast = lostFor - lostFor / assumedShare - beat;
    // A clock that stands still says nothing of what was after it gave itself up.
    Nanoseconds since = now - m_stint->until;
    if (m_stint->held)
        since = std::max<Nanoseconds>(since, wall - m_stint->wallUntil);
    return since <= Nanoseconds(0) || since < atLeast;
}

void OverlapBook::say(const Overlap& overlap, ProcessorId to)
{
    m_saying = {to, overlap};
    m_sayAgain = sayings;
}

std::optional<std::pair<ProcessorId, Overlap>> OverlapBook::due()
{
    const auto saying = m_saying;
    if (m_saying && --m_sayAgain <= 0)
        m_saying.reset();
    return saying;
}

void OverlapBook::lost(ProcessorId processor, Life life, SteadyTime now)
{
    const auto [place, added] = m_lost.try_emplace(processor, Loss{.life = life, .at = now});
    if (!added && place->second.life < life)
        place->second = {.life = life, .at = now};
}

std::optional<OverlapBook::Nanoseconds> OverlapBook::lostFor(ProcessorId processor, Life life,
                                                             SteadyTime now) const
{
    const auto found = m_lost.find(processor);
    if (found == m_lost.end() || found->second.life < life)
        return std::nullopt;
    return now - found->second.at;
}

} // namespace tasuki::hierarchy
