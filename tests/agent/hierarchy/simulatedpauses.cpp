// SPDX-License-Identifier: GPL-3.0-or-later
// Processors and hosts of a simulated system that stop for a while.
#include "simulatednode.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy::testing {

using std::chrono::nanoseconds;

void SystemSimulation::pause(ProcessorId processor)
{
    hit(processor);
    Node& stopped = node(processor);
    stopped.paused = stopped.alive;
    stopped.seenStopped = true;
}

void SystemSimulation::resume(ProcessorId processor) { wake(processor, true); }

void SystemSimulation::pauseHost(std::uint32_t host, bool seenStopped)
{
    for (const auto& one : m_nodes) {
        if (hostOf(one->self()) == host) {
            pause(one->self());
            one->seenStopped = seenStopped;
        }
    }
}

void SystemSimulation::resumeHost(std::uint32_t host, nanoseconds within)
{
    for (const auto& one : m_nodes) {
        if (hostOf(one->self()) != host)
            continue;
        const nanoseconds until(
            std::uniform_int_distribution<std::int64_t>(0, within.count())(m_random));
        at(now() + until, [this, timersFirst = (m_random() & 1U) != 0, self = one->self()] {
            wake(self, timersFirst);
        });
    }
}

/// Whether no majority can be had, as too many are stopped.
bool SystemSimulation::minorityIsAwake() const
{
    const auto awake = std::ranges::count_if(m_nodes, [this](const auto& one) {
        return one->alive && !one->paused && one->self().value() < m_shape.ofStart();
    });
    return 2 * static_cast<std::uint32_t>(awake) <= m_shape.ofStart();
}

/// Sockets are read one after the other, each to its end.
void SystemSimulation::wake(ProcessorId processor, bool timersFirst)
{
    Node& woken = node(processor);
    if (minorityIsAwake())
        m_minorityUntil = now();
    if (!woken.alive || !std::exchange(woken.paused, false))
        return;
    auto waiting = std::exchange(woken.waiting, {});
    woken.datagramsWaiting = 0;
    if (timersFirst) {
        woken.membership.poll();
        check(processor);
    } else {
        std::ranges::stable_sort(waiting, {}, [](const auto& one) { return one.kind; });
    }
    for (const auto& one : waiting)
        one.what();
}

} // namespace tasuki::hierarchy::testing
