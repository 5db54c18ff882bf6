// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/agentchannel.h"
#include "process/attemptphase.h"
#include "process/attemptrunner.h"
#include "process/guardianprotocol.h"
#include "process/processtable.h"
#include "process/runningattempt.h"

#include "domain/attempt.h"
#include "domain/clock.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

#include <sys/types.h>

namespace tasuki::guardian {

/// Brings attempts, and all that they left behind, to an end: one, or everything below this process.
class AttemptStopper {
public:
    /// @param configure  has a value before anything is stopped
    /// All references outlive this object.
    AttemptStopper(const std::optional<Configure>& configure, AttemptRunner& runner,
                   AgentChannel& channel);

    void stop(RunningAttempt& attempt, StopReason reason);
    void stop(RunningAttempt& attempt, Outcome outcome, AttemptEvent how);
    /// Reports when nothing is left.
    void stopAll(const StopAll& command);
    void stopAll(Outcome outcome, AttemptEvent how);
    /// Looks at what is being stopped, and does what is due.
    void lookAfter(SteadyTime now);
    /// The agent is gone: kills everything below this process, as far as that is possible.
    void killEverything();

    /// What becomes of an attempt that is started while everything is to go; none: it may start.
    [[nodiscard]] std::optional<Outcome> clearing() const { return m_clearing; }
    /// When it is looked whether everything has gone. Precondition: clearing().
    [[nodiscard]] SteadyTime nextClear() const { return m_nextClear; }

private:
    void lookAt(RunningAttempt& attempt, const std::vector<ProcessEntry>& below, SteadyTime now);
    void clear(SteadyTime now);

    const std::optional<Configure>& m_configure;
    AttemptRunner& m_runner;
    AgentChannel& m_channel;
    pid_t m_pid;
    std::optional<Outcome> m_clearing;   ///< everything below is to go
    std::vector<std::uint32_t> m_tokens; ///< of those who wait for that
    SteadyTime m_nextClear{};
    std::chrono::milliseconds m_clearPause{1};
};

} // namespace tasuki::guardian
