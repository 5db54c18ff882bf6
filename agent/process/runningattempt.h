// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"
#include "process/attemptphase.h"
#include "process/guardianprotocol.h"
#include "process/killrounds.h"
#include "process/lineage.h"
#include "process/shellspawner.h"
#include "process/spooledstream.h"
#include "process/taskenvironment.h"

#include "domain/attempt.h"
#include "domain/clock.h"

#include <sys/resource.h>

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::guardian {

/// Settings as the guardian uses them.
struct SettingsBlock {
    std::optional<std::chrono::milliseconds> timeout;
    std::string directory; ///< empty: the guardian's own
    TaskEnvironment environment;
};

/// The guardian's end of a task's standard output or error.
class CapturedPipe {
public:
    CapturedPipe(std::uint64_t headLimit, std::uint64_t tailLimit, SpoolStore* store)
        : m_stream(static_cast<std::size_t>(headLimit), static_cast<std::size_t>(tailLimit), store)
    {}

    /// Takes the reading end, which must not block.
    void open(UniqueFd end) { m_end = std::move(end); }
    [[nodiscard]] int fd() const { return m_end.get(); }
    /// Reads once, at most one buffer. Closes the pipe at its end.
    /// @return the bytes read; 0: nothing is there now, or ever
    std::size_t readSome();
    /// Reads what is in the pipe, for processes that have ended, and closes it. What others write
    /// meanwhile may be read or not.
    void readRestAndClose();
    [[nodiscard]] SpooledStream& stream() { return m_stream; }

private:
    UniqueFd m_end;
    SpooledStream m_stream;
};

/// All that the guardian knows of one attempt from Start to Finished.
struct RunningAttempt {
    RunningAttempt(std::uint64_t number, Start order, std::shared_ptr<SettingsBlock> block,
                   const Configure& configure, SpoolStore* store);

    std::uint64_t serial; ///< never used again, unlike descriptors and addresses
    Start launch;
    std::shared_ptr<SettingsBlock> settings;
    AttemptPhase phase = AttemptPhase::Preparing;
    std::optional<Outcome> imposed; ///< the outcome when it is ended from outside; the first wins

    UniqueFd script;               ///< of a long command
    std::size_t scriptWritten = 0; ///< bytes of the command that stand in it
    AttemptEnvironment environment;
    std::optional<cpu_set_t> cores;    ///< that it may use; none: all
    std::unique_ptr<ShellStart> start; ///< of its first process, which may not have begun it
    bool startTold = false;
    std::optional<SteadyTime> shortSince; ///< when it was first to start and there was no room

    pid_t pid = -1;
    WallTime startedAt{};
    SteadyTime begin{};
    SteadyTime end{};
    bool exited = false;
    int status = 0; ///< as wait4 tells it, once exited
    rusage usage{};

    CapturedPipe output;
    CapturedPipe error;
    std::vector<UniqueFd> agentEnds; ///< of its streams with the agent, until its start is told
    SteadyTime settleAt{};
    bool settled = false;               ///< ran so long that its pipes are watched
    std::optional<SteadyTime> deadline; ///< of its time limit, or of the grace after SIGTERM
    /// When its processes are looked at, while it is stopped; or when it is tried again, while it waits.
    SteadyTime nextLook{};

    std::optional<Lineage> lineage; ///< made when it is stopped
    KillRounds rounds;

    /// Moves on by the table. @return whether the phase changed
    bool apply(AttemptEvent event);
    /// What is reported at the end. Uses up the captures.
    AttemptResult takeResult();
};

} // namespace tasuki::guardian
