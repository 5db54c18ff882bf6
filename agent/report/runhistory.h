// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "domain/result.h"
#include "domain/runstate.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tasuki {

/// One attempt without what it wrote.
struct AttemptSummary {
    AttemptKey key;
    Rank rank{-1};
    SlotIndex slot;
    std::uint32_t host = 0; ///< index for RunHistory::hostName()
    bool ended = false;
    Outcome outcome = Outcome::Lost;
    std::int32_t code = 0;
    WallTime startedAt{};
    std::chrono::microseconds elapsed{};
    ResourceUsage usage;
    std::uint64_t standardOutputBytes = 0;
    std::uint64_t outputBytes = 0; ///< both streams, as written
};

/// State of a run plus what its latest attempts were, made from its events.
class RunHistory {
public:
    /// @return the attempt that the event tells of; none for other events
    Result<const AttemptSummary*> apply(const Event& event);

    [[nodiscard]] const RunState& state() const { return m_state; }
    /// The latest attempt of a task; none when it has none.
    [[nodiscard]] const AttemptSummary* latest(TaskId id) const;
    /// Because of which task one was skipped; none: it is not.
    [[nodiscard]] std::optional<TaskId> skippedBecause(TaskId id) const;
    [[nodiscard]] const std::string& hostName(std::uint32_t index) const { return m_hosts[index]; }

private:
    void note(const AttemptStarted& started);
    void note(const AttemptFinished& finished);
    AttemptSummary& slotOf(AttemptKey key);
    [[nodiscard]] std::uint32_t hostOf(Rank rank) const;

    RunState m_state;
    std::vector<AttemptSummary> m_latest;         ///< by task; rank -1: none
    std::unordered_map<TaskId, TaskId> m_skipped; ///< because of whom, at the last time
    std::vector<std::string> m_hosts{""};
    std::map<Rank, std::uint32_t> m_hostOf;
};

} // namespace tasuki
