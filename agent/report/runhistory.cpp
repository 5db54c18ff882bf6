// SPDX-License-Identifier: GPL-3.0-or-later
#include "runhistory.h"

#include <algorithm>

namespace tasuki {

Result<const AttemptSummary*> RunHistory::apply(const Event& event)
{
    if (const Result<void> applied = m_state.apply(event); !applied)
        return applied.error();
    const AttemptSummary* attempt = nullptr;
    if (const auto* joined = std::get_if<ProcessorJoined>(&event.payload)) {
        auto known = std::ranges::find(m_hosts, joined->host);
        if (known == m_hosts.end())
            known = m_hosts.insert(known, joined->host);
        m_hostOf[joined->rank] = static_cast<std::uint32_t>(known - m_hosts.begin());
    } else if (const auto* skipped = std::get_if<TaskSkipped>(&event.payload)) {
        m_skipped.insert_or_assign(skipped->id, skipped->because);
    } else if (const auto* started = std::get_if<AttemptStarted>(&event.payload)) {
        note(*started);
        attempt = latest(started->key.task);
    } else if (const auto* finished = std::get_if<AttemptFinished>(&event.payload)) {
        note(*finished);
        attempt = latest(finished->key.task);
    }
    return attempt;
}

const AttemptSummary* RunHistory::latest(TaskId id) const
{
    if (id.value() >= m_latest.size() || m_latest[id.value()].rank == Rank(-1))
        return nullptr;
    return &m_latest[id.value()];
}

std::optional<TaskId> RunHistory::skippedBecause(TaskId id) const
{
    const auto found = m_skipped.find(id);
    if (found == m_skipped.end() || m_state.task(id).state != TaskState::Skipped)
        return std::nullopt;
    return found->second;
}

void RunHistory::note(const AttemptStarted& started)
{
    AttemptSummary& attempt = slotOf(started.key);
    attempt.rank = started.rank;
    attempt.host = hostOf(started.rank);
    attempt.slot = started.slot;
    attempt.startedAt = started.startedAt;
}

void RunHistory::note(const AttemptFinished& finished)
{
    const AttemptResult& result = finished.result;
    AttemptSummary& attempt = slotOf(finished.key);
    // Of what was lost the rank may have another holder by now.
    if (attempt.rank != finished.rank || attempt.ended)
        attempt.host = hostOf(finished.rank);
    attempt.rank = finished.rank;
    const WallTime knownStart = attempt.startedAt;
    attempt.slot = finished.slot;
    attempt.ended = true;
    attempt.outcome = result.outcome;
    attempt.code = result.code;
    // A lost attempt's end knows nothing of its start.
    attempt.startedAt = result.startedAt == WallTime{} ? knownStart : result.startedAt;
    attempt.elapsed = result.elapsed;
    attempt.usage = result.usage;
    attempt.standardOutputBytes = result.standardOutput.totalBytes;
    attempt.outputBytes = result.standardOutput.totalBytes + result.standardError.totalBytes;
}

AttemptSummary& RunHistory::slotOf(AttemptKey key)
{
    if (m_latest.size() <= key.task.value())
        m_latest.resize(std::max<std::size_t>(m_state.tasks().size(), key.task.value() + 1U));
    AttemptSummary& attempt = m_latest[key.task.value()];
    if (attempt.key != key)
        attempt = AttemptSummary{};
    attempt.key = key;
    return attempt;
}

std::uint32_t RunHistory::hostOf(Rank rank) const
{
    const auto host = m_hostOf.find(rank);
    return host == m_hostOf.end() ? 0 : host->second;
}

} // namespace tasuki
