// SPDX-License-Identifier: GPL-3.0-or-later
#include "startupcensus.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <string>
#include <utility>

namespace tasuki {

namespace {

/// The launcher makes all of its ranks in one go, however long each then takes to begin.
constexpr std::chrono::seconds forTheNext{3};

} // namespace

/// A rank bears the launcher's own name until its program begins.
std::set<pid_t> StartupCensus::living(const std::vector<ProcessEntry>& table) const
{
    const auto launcher = std::ranges::find(table, m_launcher, &ProcessEntry::pid);
    const std::string early = launcher != table.end() ? launcher->name : std::string();
    std::set<pid_t> ranks;
    for (const ProcessEntry& process : table) {
        if (process.parent == m_launcher && !process.zombie()
            && (process.name == "tasuki-agent" || process.name == early))
            ranks.insert(process.pid);
    }
    return ranks;
}

bool StartupCensus::oneHasDied(const std::vector<ProcessEntry>& table, SteadyTime now)
{
    const std::set<pid_t> ranks = living(table);
    std::set<pid_t> missed;
    std::ranges::set_difference(m_seen, ranks, std::inserter(missed, missed.end()));
    const bool again = std::ranges::any_of(missed,
                                           [this](pid_t rank) { return m_missed.contains(rank); });
    m_missed = std::move(missed);
    const std::size_t before = m_seen.size();
    m_seen.insert(ranks.begin(), ranks.end());
    if (m_seen.size() > before)
        m_latest = now;
    return again || (m_seen.size() < m_ranks && now - m_latest > forTheNext);
}

} // namespace tasuki
