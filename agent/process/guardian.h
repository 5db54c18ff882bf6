// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/framequeue.h"
#include "process/guardianprotocol.h"
#include "process/lineage.h"
#include "process/runningattempt.h"
#include "process/uniquefd.h"

#include "domain/bootclock.h"
#include "domain/clock.h"
#include "domain/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

struct epoll_event;

namespace tasuki::guardian {

/// Spawns, watches and kills the tasks of one agent. The process must be a sub-reaper with SIGCHLD
/// blocked, no signal ignored and the null device as descriptor 0; all its children are the
/// guardian's own.
class Guardian {
public:
    /// @param socket           connected to the agent
    /// @param taskDescriptors  how many descriptors a task may open
    Guardian(UniqueFd socket, const rlimit& taskDescriptors);

    /// Serves until the agent closes its end, then kills everything below this process.
    /// @return an Error when the system refuses what the guardian itself needs, or the agent sends
    ///         what is no command; everything has been killed then as well
    Result<void> run();

private:
    using Attempts = std::vector<std::unique_ptr<RunningAttempt>>;
    enum class Urgency { CanWait, Now };

    // The loop.
    Result<void> setUp();
    Result<void> serve();
    void noteLateness(int wait);
    void handleEvent(const epoll_event& event);
    Result<void> receive();
    void flush();
    void report(const Report& report, Urgency urgency);
    [[nodiscard]] int waitMilliseconds() const;
    void handleTime(SteadyTime now);

    // Commands.
    void handle(Configure command);
    void handle(DefineSettings command);
    void handle(ForgetSettings command);
    void handle(Start command);
    void handle(Stop command);
    void handle(StopAll command);
    void handle(Signal command);
    void handle(KeepAlive command);

    // Output; guardianoutput.cpp.
    void handle(Peek command);
    void handle(Fetch command);
    void handle(Release command);
    void answerFetches(AttemptKey key);
    void keepOutput(RunningAttempt& attempt);
    [[nodiscard]] RunningAttempt* running(AttemptKey key);

    // Attempts; guardianattempts.cpp.
    void prepare(RunningAttempt& attempt);
    void launch(RunningAttempt& attempt);
    void writeScript(RunningAttempt& attempt);
    void cannotStart(RunningAttempt& attempt, const SpawnFailure& failure);
    void tellStart(RunningAttempt& attempt);
    void failToStart(RunningAttempt& attempt, const SpawnFailure& failure);
    void settle(RunningAttempt& attempt);
    void reap();
    void finish(RunningAttempt& attempt);
    void removeEnded();
    [[nodiscard]] RunningAttempt* find(std::uint64_t serial);

    // Stopping; guardianstop.cpp.
    void stop(RunningAttempt& attempt, Outcome outcome, AttemptEvent how);
    void stopAll(Outcome outcome, AttemptEvent how);
    void lookAfterStopping(SteadyTime now);
    void lookAt(RunningAttempt& attempt, const std::vector<ProcessEntry>& below, SteadyTime now);
    void clear(SteadyTime now);
    void checkLease();
    void killEverything();

    UniqueFd m_socket;
    UniqueFd m_epoll;
    UniqueFd m_signals;
    pid_t m_pid;
    FrameReader m_reader;
    FrameWriter m_writer;
    bool m_flushNow = false;
    bool m_watchesWriting = false;
    bool m_agentGone = false;

    std::optional<Configure> m_configure;
    std::unordered_map<std::uint32_t, std::shared_ptr<SettingsBlock>> m_settings;
    rlimit m_taskDescriptors;
    std::optional<SpoolStore> m_store; ///< none: nobody wants more than the record keeps
    Attempts m_attempts;
    struct EndedOutput {
        SpooledStream output;
        SpooledStream error;
    };
    std::unordered_map<AttemptKey, EndedOutput> m_ended; ///< until released
    std::vector<Fetch> m_fetches;                        ///< that wait
    AttemptSpans m_spans;
    std::uint64_t m_lastSerial = 0;
    bool m_childless = true; ///< at the latest look; what the system says, so it is certain

    BootClock m_leaseClock;  ///< others count a lease on while this machine is suspended
    SteadyTime m_lastTurn{}; ///< of the loop, by it
    SteadyTime m_leaseEnd{}; ///< by it
    bool m_excused = false;  ///< lengthened since the agent spoke
    bool m_leaseOver = false;
    bool m_clearing = false;                       ///< everything below is to go
    Outcome m_clearOutcome = Outcome::Interrupted; ///< of what is started meanwhile
    std::vector<std::uint32_t> m_stopTokens;
    SteadyTime m_nextClear{};
    std::chrono::milliseconds m_clearPause{1};
};

} // namespace tasuki::guardian
