// SPDX-License-Identifier: GPL-3.0-or-later
#include "membership.h"

#include <algorithm>
#include <cassert>

namespace tasuki::merge {

Membership::Membership(ProcessorId self, std::size_t ranks, std::chrono::milliseconds limit,
                       SteadyTime now)
    : m_self(self), m_limit(limit), m_lastAsked(now)
{
    for (std::size_t rank = 0; rank < ranks; ++rank)
        m_ranks[ProcessorId(static_cast<ProcessorId::Representation>(rank))].lastHeard = now;
    assert(m_ranks.count(self) != 0);
}

std::vector<ProcessorId> Membership::living() const
{
    std::vector<ProcessorId> ranks;
    for (const auto& [rank, member] : m_ranks) {
        if (member.state == State::Living)
            ranks.push_back(rank);
    }
    return ranks;
}

ProcessorId Membership::coordinator() const
{
    const auto found = std::ranges::find(m_ranks, State::Living,
                                         [](const auto& each) { return each.second.state; });
    return found == m_ranks.end() ? m_self : found->first;
}

bool Membership::hasMajority() const
{
    std::size_t living = 0;
    std::size_t silent = 0;
    const Member* lowest = nullptr;
    for (const auto& [rank, member] : m_ranks) {
        if (member.state == State::Gone)
            continue;
        if (lowest == nullptr)
            lowest = &member;
        ++(member.state == State::Living ? living : silent);
    }
    return living > silent
        || (living == silent && lowest != nullptr && lowest->state == State::Living);
}

bool Membership::lose(ProcessorId rank, State state, SteadyTime now)
{
    assert(state != State::Living);
    Member& member = m_ranks.at(rank);
    if (member.state == State::Gone || member.state == state)
        return false;
    const bool counted = member.state == State::Living;
    const ProcessorId before = coordinator();
    member.state = state;
    if (coordinator() != before) {
        // From now on others are listened to: they were not asked to speak until now.
        for (auto& [other, each] : m_ranks)
            each.lastHeard = now;
    }
    return counted;
}

std::vector<ProcessorId> Membership::silent(SteadyTime now)
{
    // The longest gap between two questions in which the observer counts as awake.
    const auto awake = m_limit / 4;
    const auto gap = now - m_lastAsked;
    if (gap > awake) {
        for (auto& [rank, member] : m_ranks)
            member.lastHeard += gap;
    }
    m_lastAsked = now;
    std::vector<ProcessorId> ranks;
    const ProcessorId listenedTo = coordinator();
    for (const auto& [rank, member] : m_ranks) {
        const bool counts = rank != m_self && member.state == State::Living
            && (listenedTo == m_self || rank == listenedTo);
        if (counts && now - member.lastHeard > m_limit)
            ranks.push_back(rank);
    }
    return ranks;
}

} // namespace tasuki::merge
