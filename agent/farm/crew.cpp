// SPDX-License-Identifier: GPL-3.0-or-later
#include "crew.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tasuki::farm {

Crew::Crew(std::vector<Rank> ranks, std::uint64_t era) : m_ranks(std::move(ranks)), m_era(era)
{
    assert(!m_ranks.empty());
}

bool Crew::lead(std::optional<ProcessorId> leader)
{
    if (std::exchange(m_leader, leader) == leader)
        return false;
    // What was said until now may have been dropped, or is still on its way: whoever leads has to
    // begin anew, also who has led the crew before and has not heard of another one in between.
    m_acting.reset();
    m_mustered = false;
    m_byRecord = m_byRecord && leader;
    return true;
}

bool Crew::greeted(const Leadership& from, bool answers)
{
    const bool early = m_leader != from.foreman || !answers;
    std::uint64_t& newest = (early ? m_early : m_terms)[from.foreman];
    const bool isNew = from.term > newest; // else it has been answered
    newest = std::max(newest, from.term);
    return isNew && !early;
}

std::optional<Leadership> Crew::takeEarly()
{
    if (!m_leader)
        return std::nullopt;
    const auto said = m_early.extract(*m_leader);
    return said.empty() ? std::nullopt : std::optional(Leadership{said.key(), said.mapped()});
}

std::uint64_t Crew::callMuster(const Leadership& foreman)
{
    m_acting = foreman;
    m_mustered = false;
    return ++m_era;
}

void Crew::mustered()
{
    m_mustered = true;
    m_byRecord = false;
}

} // namespace tasuki::farm
