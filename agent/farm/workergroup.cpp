// SPDX-License-Identifier: GPL-3.0-or-later
#include "workergroup.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tasuki::farm {

WorkerGroup::WorkerGroup(std::vector<Rank> ranks, Era era) : m_ranks(std::move(ranks)), m_era(era)
{
    assert(!m_ranks.empty());
}

bool WorkerGroup::lead(std::optional<ProcessorId> leader)
{
    if (std::exchange(m_leader, leader) == leader)
        return false;
    // What was said until now may have been dropped, or is still on its way: whoever leads has to
    // begin anew, also who has led the worker group before and has not heard of another one in between.
    m_acting.reset();
    m_resynced = false;
    m_byRecord = m_byRecord && leader;
    return true;
}

bool WorkerGroup::greeted(const Leadership& from, bool answers)
{
    const bool early = m_leader != from.groupScheduler || !answers;
    LeadershipNumber& newest = (early ? m_early : m_leaderships)[from.groupScheduler];
    const bool isNew = from.number > newest; // else it has been answered
    newest = std::max(newest, from.number);
    return isNew && !early;
}

std::optional<Leadership> WorkerGroup::takeEarly()
{
    if (!m_leader)
        return std::nullopt;
    const auto said = m_early.extract(*m_leader);
    return said.empty() ? std::nullopt : std::optional(Leadership{said.key(), said.mapped()});
}

Era WorkerGroup::callResync(const Leadership& groupScheduler)
{
    m_acting = groupScheduler;
    m_resynced = false;
    return m_era = m_era.next();
}

void WorkerGroup::resynced()
{
    m_resynced = true;
    m_byRecord = false;
}

} // namespace tasuki::farm
