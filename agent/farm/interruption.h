// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rankmessages.h"

#include "domain/clock.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <optional>
#include <vector>

namespace tasuki::farm {

/// What is known of an interruption of the run; the table of verdicts: docs/launch.md, "Ends of
/// allocations".
enum class Interruption : std::uint8_t {
    None,
    Asked,  ///< nothing new starts, what runs may finish
    Killing ///< what runs is killed, by this run or by whoever interrupts it
};

/// @return what an end counts as: attempts that a signal ended while the run was being interrupted, be it
///         their own or that of a process they waited for, are interrupted and not failed. While it is
///         being killed, so is whatever did not succeed.
AttemptResult judged(AttemptResult result, Interruption interruption);

/// How long a worker waits before it tells of ends that an interruption may be behind: whoever ends an
/// allocation signals tasks and agents at the same time, in no order.
struct HoldingPolicy {
    std::chrono::milliseconds grace{}; ///< 0: nothing is held back
    bool allFailures = false; ///< programs that answer a signal with an exit code of their own, too
};

/// Ends of attempts on their way to the report. Pure logic, one thread.
class EndsOnHold {
public:
    explicit EndsOnHold(HoldingPolicy policy) : m_policy(policy) {}

    /// An attempt has ended. @return its end, judged; none: it is held back
    std::optional<FinishedAttempt> take(FinishedAttempt end, SteadyTime now);
    /// The run is being interrupted. What was known before is never taken back.
    void heard(Interruption interruption);
    [[nodiscard]] Interruption interruption() const { return m_interruption; }
    /// @return what need not wait any longer, in the order in which it ended
    std::vector<FinishedAttempt> due(SteadyTime now);
    [[nodiscard]] const std::deque<FinishedAttempt>& held() const { return m_held; }
    /// Forgets what is held back.
    void clear();

private:
    HoldingPolicy m_policy;
    Interruption m_interruption = Interruption::None;
    std::deque<FinishedAttempt> m_held;
    std::deque<SteadyTime> m_since; ///< of each of those
};

} // namespace tasuki::farm
