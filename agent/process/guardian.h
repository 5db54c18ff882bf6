// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"
#include "process/agentchannel.h"
#include "process/agentlease.h"
#include "process/attemptrunner.h"
#include "process/attemptstopper.h"
#include "process/guardianprotocol.h"
#include "process/outputshelf.h"

#include "domain/bootclock.h"
#include "domain/clock.h"
#include "domain/result.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <unordered_map>

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
    Result<void> setUp();
    Result<void> serve();
    void handleEvent(const epoll_event& event);
    Result<void> receive();
    [[nodiscard]] std::optional<std::chrono::milliseconds> longestWait() const;
    void handleTime(SteadyTime now);
    void handle(Configure command);
    void handle(DefineSettings command);
    void handle(ForgetSettings command);
    void handle(Start command);
    void handle(Stop command);
    void handle(StopAll command);
    void handle(Signal command);
    void handle(Peek command);
    void handle(Fetch command);
    void handle(Release command);
    void handle(KeepAlive command);

    UniqueFd m_epoll;
    UniqueFd m_signals;
    AgentChannel m_channel;
    BootClock m_leaseClock; ///< others count a lease on while this machine is suspended
    AgentLease m_lease;
    std::optional<Configure> m_configure;
    std::unordered_map<std::uint32_t, std::shared_ptr<SettingsBlock>> m_settings;
    OutputShelf m_shelf;
    AttemptRunner m_runner;
    AttemptStopper m_stopper;
};

} // namespace tasuki::guardian
