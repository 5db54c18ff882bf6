// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/attemptstopper.h"

#include "process/processtable.h"

#include <algorithm>
#include <csignal>
#include <ctime>
#include <optional>

#include <unistd.h>

namespace tasuki::guardian {
namespace {

/// How often a task that was asked to end is looked at.
constexpr std::chrono::milliseconds terminatingLook{20};
constexpr std::chrono::milliseconds longestClearPause{32};
/// When the agent is gone nobody waits; what cannot be killed in this time never can be.
constexpr std::chrono::seconds lastKillLimit{10};

} // namespace

AttemptStopper::AttemptStopper(const std::optional<Configure>& configure, AttemptRunner& runner,
                               AgentChannel& channel)
    : m_configure(configure), m_runner(runner), m_channel(channel), m_pid(::getpid())
{}

void AttemptStopper::stop(RunningAttempt& attempt, StopReason reason)
{
    if (reason == StopReason::Cancelled)
        stop(attempt, Outcome::Cancelled, AttemptEvent::StopGently);
    else
        stop(attempt, Outcome::Interrupted, AttemptEvent::StopNow);
}

void AttemptStopper::stopAll(const StopAll& command)
{
    m_tokens.push_back(command.token);
    if (command.reason == StopReason::Cancelled)
        stopAll(Outcome::Cancelled, AttemptEvent::StopGently);
    else
        stopAll(Outcome::Interrupted, AttemptEvent::StopNow);
}

void AttemptStopper::stop(RunningAttempt& attempt, Outcome outcome, AttemptEvent how)
{
    if (!attempt.imposed)
        attempt.imposed = outcome;
    const SteadyTime now = std::chrono::steady_clock::now();
    if (!attempt.apply(how))
        return;
    if (attempt.phase == AttemptPhase::Ended) {
        m_runner.finish(attempt);
        return;
    }
    if (!attempt.lineage)
        attempt.lineage.emplace(ProcessMarker{m_configure->run.hex, m_configure->epoch,
                                              m_configure->rank, attempt.launch.key},
                                attempt.pid);
    attempt.nextLook = now;
    attempt.deadline.reset();
    if (attempt.phase == AttemptPhase::Terminating) {
        // Not reaped yet, so the group is still the attempt's. A stopped process must run to end.
        // A process that has not executed its shell yet may lead no group so far.
        if (::kill(-attempt.pid, SIGTERM) != 0)
            ::kill(attempt.pid, SIGTERM);
        ::kill(-attempt.pid, SIGCONT);
        attempt.nextLook = now + terminatingLook;
        attempt.deadline = now + m_configure->killGrace;
    }
}

void AttemptStopper::stopAll(Outcome outcome, AttemptEvent how)
{
    m_clearing = outcome;
    m_nextClear = std::chrono::steady_clock::now();
    m_clearPause = std::chrono::milliseconds(1);
    for (const auto& attempt : m_runner.attempts()) {
        if (attempt->phase != AttemptPhase::Ended)
            stop(*attempt, outcome, how);
    }
}

void AttemptStopper::lookAfter(SteadyTime now)
{
    std::optional<std::vector<ProcessEntry>> below;
    bool gentle = false;
    for (const auto& attempt : m_runner.attempts()) {
        if (attempt->phase == AttemptPhase::Terminating && now >= *attempt->deadline)
            attempt->apply(AttemptEvent::GraceOver);
        const bool terminating = attempt->phase == AttemptPhase::Terminating;
        const bool killing = attempt->phase == AttemptPhase::Killing && !m_clearing;
        if ((terminating && attempt->exited) || killing) {
            if (now >= attempt->nextLook) {
                if (!below)
                    below = descendantsOf(readProcesses(), m_pid);
                lookAt(*attempt, *below, now);
            }
        } else if (terminating) {
            attempt->nextLook = now + terminatingLook;
        }
        gentle = gentle || attempt->phase == AttemptPhase::Terminating;
    }
    if (m_clearing && !gentle && now >= m_nextClear)
        clear(now);
}

void AttemptStopper::lookAt(RunningAttempt& attempt, const std::vector<ProcessEntry>& below,
                            SteadyTime now)
{
    const auto members = attempt.lineage->members(below, m_pid, m_runner.spans(),
                                                  readProcessMarker);
    if (attempt.phase == AttemptPhase::Terminating) {
        attempt.nextLook = now + terminatingLook;
        // Detached processes did not get the signal; only its own group may use the grace.
        if (std::none_of(members.begin(), members.end(),
                         [&](const auto& each) { return each.group == attempt.pid; })
            && attempt.apply(AttemptEvent::GraceOver))
            attempt.nextLook = now;
        return;
    }
    switch (attempt.rounds.step(members)) {
    case KillRounds::Progress::LookAgain: attempt.nextLook = now; break;
    case KillRounds::Progress::Wait: attempt.nextLook = now + attempt.rounds.pause(); break;
    case KillRounds::Progress::Gone:
        m_runner.reap();
        if (attempt.exited && attempt.apply(AttemptEvent::NothingLeft))
            m_runner.finish(attempt);
        else
            attempt.nextLook = now + attempt.rounds.pause();
        break;
    }
}

void AttemptStopper::clear(SteadyTime now)
{
    m_runner.reap();
    if (!m_runner.childless()) {
        killDescendantsOnce(m_pid);
        m_nextClear = now + m_clearPause;
        m_clearPause = std::min(m_clearPause * 2, longestClearPause);
        return;
    }
    // Every orphan comes to this process, so without a child nothing at all is left.
    for (const auto& attempt : m_runner.attempts()) {
        if (attempt->apply(AttemptEvent::NothingLeft))
            m_runner.finish(*attempt);
    }
    m_clearing.reset();
    for (const std::uint32_t token : m_tokens)
        m_channel.report(AllStopped{token}, AgentChannel::Urgency::Now);
    m_tokens.clear();
}

void AttemptStopper::killEverything()
{
    const SteadyTime end = std::chrono::steady_clock::now() + lastKillLimit;
    for (m_runner.reap(); !m_runner.childless() && std::chrono::steady_clock::now() < end;
         m_runner.reap()) {
        killDescendantsOnce(m_pid);
        m_runner.reap();
        if (m_runner.childless())
            return;
        const timespec pause{0, 1'000'000};
        ::nanosleep(&pause, nullptr);
    }
}

} // namespace tasuki::guardian
