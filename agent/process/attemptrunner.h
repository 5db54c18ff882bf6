// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/agentchannel.h"
#include "process/guardianprotocol.h"
#include "process/lineage.h"
#include "process/outputshelf.h"
#include "process/runningattempt.h"

#include "domain/clock.h"
#include "domain/ids.h"

#include <sys/resource.h>

#include <cstdint>
#include <memory>
#include <vector>

namespace tasuki::guardian {

/// The attempts of a guardian, and their life as long as nobody stops them: starts them, reads what they write,
/// reaps them and reports. The process must be as Guardian says.
class AttemptRunner {
public:
    using Attempts = std::vector<std::unique_ptr<RunningAttempt>>;

    /// @param taskDescriptors  how many descriptors a task may open
    /// @param channel, shelf   outlive the runner
    AttemptRunner(const rlimit& taskDescriptors, AgentChannel& channel, OutputShelf& shelf)
        : m_channel(channel), m_shelf(shelf), m_taskDescriptors(taskDescriptors)
    {}

    /// Has an epoll instance watch the output of attempts, with tags from firstTag on. Called once, before
    /// everything else.
    void watchWith(int epoll) { m_epoll = epoll; }
    static constexpr std::uint64_t firstTag = 2;
    /// Something has happened to what has this tag.
    void read(std::uint64_t tag);

    /// @return an attempt that has not begun
    RunningAttempt& add(Start command, std::shared_ptr<SettingsBlock> settings,
                        const Configure& configure);
    void begin(RunningAttempt& attempt);
    /// Does what is due.
    void goOn(RunningAttempt& attempt, SteadyTime now);
    /// Reports its end. It stays where it is until removeEnded().
    void finish(RunningAttempt& attempt);
    /// Takes leave of all children that have ended.
    void reap();
    void removeEnded();
    void answer(const Fetch& command);

    [[nodiscard]] const Attempts& attempts() const { return m_attempts; }
    /// @return null: it does not run
    [[nodiscard]] RunningAttempt* running(AttemptKey key);
    [[nodiscard]] const AttemptSpans& spans() const { return m_spans; }
    /// Whether no child was left at the latest reap(): what the system says, so it is certain.
    [[nodiscard]] bool childless() const { return m_childless; }

private:
    void prepare(RunningAttempt& attempt);
    void writeScript(RunningAttempt& attempt);
    void launch(RunningAttempt& attempt);
    void cannotStart(RunningAttempt& attempt, const SpawnFailure& failure);
    void failToStart(RunningAttempt& attempt, const SpawnFailure& failure);
    void tellStart(RunningAttempt& attempt);
    void settle(RunningAttempt& attempt);
    void tellNews(AttemptKey key);

    AgentChannel& m_channel;
    OutputShelf& m_shelf;
    rlimit m_taskDescriptors;
    int m_epoll = -1;
    Attempts m_attempts;
    AttemptSpans m_spans;
    std::uint64_t m_lastSerial =
        0; ///< twice that is its tag, and one more that of its standard error
    bool m_childless = true;
};

} // namespace tasuki::guardian
