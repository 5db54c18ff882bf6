// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "allocationend.h"
#include "masterphase.h"
#include "rankmessages.h"
#include "recorddesk.h"
#include "roster.h"
#include "scheduler.h"
#include "taskscope.h"

#include "domain/clock.h"

#include <chrono>
#include <optional>
#include <span>
#include <unordered_map>

namespace tasuki::farm {

/// Attempts that run, with the rank that reported their start.
using StartedAttempts = std::unordered_map<AttemptKey, Rank>;

/// What a master makes of attempts: it tells the scheduler what became of them, and records what that
/// means. It knows who has started what in worker groups, and what the end of the allocation means.
class AttemptDesk {
public:
    /// @param endsAt  when the allocation ends; none: that is not known
    /// All references outlive this object.
    AttemptDesk(std::optional<SteadyTime> endsAt, const Course& course, Scheduler& scheduler,
                RecordDesk& record, const Clock& clock);

    /// Gives the scheduler all tasks of the record.
    /// @param only  see TaskScope
    void begin(std::span<const TaskRange> only);
    /// @param started  attempts that run by the record of another master
    void inherit(StartedAttempts started) { m_startedOn = std::move(started); }
    /// Each worker group holds what it had started by that record.
    void adoptStarted(const Roster& roster);
    /// @return whether the attempt was the scheduler's to be held; then it is
    bool adopt(GroupId group, AttemptKey key, bool started);

    /// @param led  the rank has a group scheduler
    void takeReport(GroupId group, Rank rank, bool led, Report&& report);
    void recordEnd(GroupId group, Rank rank, AttemptKey key, SlotIndex slot, AttemptResult result);
    /// Tasks that were given up since the last call.
    void recordSkipped();
    /// A worker group is no more: what it had started is lost.
    void groupLost(GroupId group);

    /// @return the rank that reported the start; when none did, the worker group's first rank
    [[nodiscard]] Rank startedOn(GroupId group, AttemptKey key) const;
    /// Which tasks may still start; null: no end of the allocation is known.
    [[nodiscard]] FitTest fitTest() const;
    /// @return null: no end is known
    [[nodiscard]] AllocationEnd* allocationEnd()
    {
        return m_allocationEnd ? &*m_allocationEnd : nullptr;
    }

private:
    const Course& m_course;
    Scheduler& m_scheduler;
    RecordDesk& m_record;
    const Clock& m_clock;
    std::optional<AllocationEnd> m_allocationEnd;
    StartedAttempts m_startedOn;                   ///< of worker groups
    std::chrono::microseconds m_finishedRunTime{}; ///< of attempts that had the final word
};

} // namespace tasuki::farm
