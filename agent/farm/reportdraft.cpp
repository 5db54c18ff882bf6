// SPDX-License-Identifier: GPL-3.0-or-later
#include "reportdraft.h"

#include <algorithm>
#include <chrono>
#include <iterator>
#include <utility>

namespace tasuki::farm {

void ReportDraft::addJoined(JoinedRank joined)
{
    m_report.joined.push_back(std::move(joined));
    touch(true);
}

void ReportDraft::addClaimed(AttemptKey key)
{
    m_report.claimed.push_back(key);
    touch(true);
}

void ReportDraft::addReturned(const std::vector<AttemptKey>& keys)
{
    if (keys.empty())
        return;
    std::ranges::copy(keys, std::back_inserter(m_report.returned));
    touch(true);
}

void ReportDraft::addLeavings(Rank rank, const RankLeavings& leavings)
{
    Report lost;
    for (const AttemptKey& key : leavings.started) // Outcome::Lost
        lost.finished.push_back({.key = key, .slot = SlotIndex(0), .result = {}});
    if (!lost.finished.empty()) {
        m_report.reports.push_back({rank, std::move(lost)});
        touch(true);
    }
    addReturned(leavings.unknown);
}

void ReportDraft::add(RankReport counted, Told told)
{
    m_ends += counted.report.finished.size();
    for (const FinishedAttempt& finished : counted.report.finished)
        m_output += finished.result.standardOutput.head.size()
            + finished.result.standardError.head.size();
    if (!counted.report.started.empty() || !counted.report.finished.empty())
        m_report.reports.push_back(std::move(counted));
    m_told.push_back(told);
    touch(false);
}

bool ReportDraft::isDue(SteadyTime now, bool idle) const
{
    constexpr std::chrono::milliseconds patience{2};
    constexpr std::size_t manyEnds = 512;
    constexpr std::size_t muchOutput = 1U << 20U;
    if (!m_begun)
        return false;
    return m_urgent || idle || m_ends >= manyEnds || m_output >= muchOutput
        || now - m_oldest >= patience;
}

std::optional<GroupReport> ReportDraft::take()
{
    if (!std::exchange(m_begun, false))
        return std::nullopt;
    m_report.number = ++m_last;
    m_unnoted[m_last] = std::exchange(m_told, {});
    m_urgent = false;
    m_ends = 0;
    m_output = 0;
    return std::exchange(m_report, {});
}

std::vector<ReportDraft::Told> ReportDraft::noted(std::uint64_t upTo)
{
    std::map<Rank, Told> newest;
    const auto end = m_unnoted.upper_bound(upTo);
    for (auto report = m_unnoted.begin(); report != end; ++report) {
        for (const Told& told : report->second)
            newest.insert_or_assign(told.rank, told);
    }
    m_unnoted.erase(m_unnoted.begin(), end);
    std::vector<Told> all;
    all.reserve(newest.size());
    for (const auto& [rank, told] : newest)
        all.push_back(told);
    return all;
}

void ReportDraft::clear()
{
    const std::uint64_t last = m_last;
    static_cast<void>(take());
    m_last = last;
    m_unnoted.clear();
}

void ReportDraft::touch(bool urgent)
{
    if (!std::exchange(m_begun, true))
        m_oldest = m_clock.now();
    m_urgent = m_urgent || urgent;
}

} // namespace tasuki::farm
