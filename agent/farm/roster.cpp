// SPDX-License-Identifier: GPL-3.0-or-later
#include "roster.h"

#include <algorithm>

namespace tasuki::farm {

namespace {

/// Longer than this between two looks: the observer was late.
constexpr std::chrono::milliseconds observerLateness{500};

} // namespace

void Roster::expect(Rank rank, SteadyTime now) { m_members[rank].lastHeard = now; }

Incarnation Roster::join(Rank rank, SteadyTime now)
{
    Member& joining = member(rank);
    joining.state = Member::State::Present;
    joining.incarnation = joining.incarnation.next();
    joining.lastHeard = now;
    return joining.incarnation;
}

void Roster::lose(Rank rank, LossCause cause)
{
    switch (cause) {
    case LossCause::Gone: member(rank).state = Member::State::Gone; break;
    case LossCause::Silent: member(rank).state = Member::State::Silent; break;
    case LossCause::Left: member(rank).state = Member::State::Left; break;
    }
}

std::vector<Rank> Roster::silent(SteadyTime now)
{
    const auto sinceAsked = now - m_lastAsked;
    if (m_lastAsked != SteadyTime{} && sinceAsked > observerLateness) {
        for (auto& [rank, member] : m_members)
            member.lastHeard = std::min(now, member.lastHeard + sinceAsked);
    }
    m_lastAsked = now;
    std::vector<Rank> ranks;
    for (const auto& [rank, member] : m_members) {
        const bool counted = member.state == Member::State::Present
            || member.state == Member::State::Expected;
        if (counted && now - member.lastHeard > m_limit)
            ranks.push_back(rank);
    }
    return ranks;
}

std::size_t Roster::count(Member::State state) const
{
    return static_cast<std::size_t>(std::ranges::count_if(
        m_members, [state](const auto& entry) { return entry.second.state == state; }));
}

} // namespace tasuki::farm
