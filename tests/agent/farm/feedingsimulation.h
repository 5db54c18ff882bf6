// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/scheduler.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <queue>
#include <vector>

namespace tasuki::farm::testing {

/// Runs a list through a Scheduler with workers that keep a queue and fill their slots, as the real
/// ones do: a discrete-event loop over run times and the way of messages. Nothing fails here.
class FeedingSimulation {
public:
    using Duration = std::chrono::microseconds;

    /// @param slots  of each worker; ranks count from 0
    /// @param latency  of every message, either way
    FeedingSimulation(SchedulingPolicy policy, std::vector<std::uint32_t> slots,
                      std::vector<Duration> runTimes, Duration latency);

    /// @return the time from the beginning to the last end of a task
    Duration run();

    /// Most unstarted attempts that any worker ever held, as the scheduler sees it.
    [[nodiscard]] std::size_t mostUnstarted() const { return m_mostUnstarted; }
    [[nodiscard]] std::size_t recallCount() const { return m_recalls; }
    /// How often a task was started; all ones after a good run.
    [[nodiscard]] const std::vector<std::uint32_t>& starts() const { return m_starts; }

private:
    struct Worker {
        std::uint32_t slots = 0;
        std::uint32_t running = 0;
        std::deque<AttemptKey> queue;
        std::size_t held = 0; ///< as the scheduler sees it
    };
    struct Step {
        Duration when;
        std::uint64_t order;
        std::function<void()> action;
        bool operator>(const Step& other) const
        {
            return when != other.when ? when > other.when : order > other.order;
        }
    };

    void after(Duration delay, std::function<void()> action);
    void fillSlots(GroupId rank);
    void decide();

    Scheduler m_scheduler;
    std::vector<Duration> m_runTimes;
    Duration m_latency;
    Duration m_now{};
    Duration m_lastEnd{};
    std::uint64_t m_order = 0;
    std::priority_queue<Step, std::vector<Step>, std::greater<>> m_steps;
    std::map<GroupId, Worker> m_workers;
    std::size_t m_mostUnstarted = 0;
    std::size_t m_recalls = 0;
    std::vector<std::uint32_t> m_starts;
};

/// @return the time that a list takes when each free slot takes the next task of the list at once
FeedingSimulation::Duration greedyMakespan(
    std::uint32_t slots, const std::vector<FeedingSimulation::Duration>& runTimes);

} // namespace tasuki::farm::testing
