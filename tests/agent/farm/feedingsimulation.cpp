// SPDX-License-Identifier: GPL-3.0-or-later
#include "feedingsimulation.h"

#include "schedulertesting.h"

#include <algorithm>
#include <utility>

namespace tasuki::farm::testing {

FeedingSimulation::FeedingSimulation(SchedulingPolicy policy, std::vector<std::uint32_t> slots,
                                     std::vector<Duration> runTimes, Duration latency)
    : m_scheduler(policy),
      m_runTimes(std::move(runTimes)),
      m_latency(latency),
      m_starts(m_runTimes.size())
{
    for (std::uint32_t i = 0; i < m_runTimes.size(); ++i)
        m_scheduler.add({.position = i});
    m_scheduler.begin();
    for (std::size_t i = 0; i < slots.size(); ++i) {
        const GroupId rank(static_cast<std::int32_t>(i));
        m_workers[rank].slots = slots[i];
        m_scheduler.groupJoined(rank, slots[i]);
    }
}

FeedingSimulation::Duration FeedingSimulation::run()
{
    decide();
    while (!m_steps.empty()) {
        const Step step = m_steps.top();
        m_steps.pop();
        m_now = step.when;
        step.action();
    }
    return m_lastEnd;
}

void FeedingSimulation::after(Duration delay, std::function<void()> action)
{
    m_steps.push({m_now + delay, m_order++, std::move(action)});
}

void FeedingSimulation::fillSlots(GroupId rank)
{
    Worker& worker = m_workers[rank];
    while (worker.running < worker.slots && !worker.queue.empty()) {
        const AttemptKey key = worker.queue.front();
        worker.queue.pop_front();
        ++worker.running;
        ++m_starts[key.task.value()];
        const Duration runTime = m_runTimes[key.task.value()];
        after(m_latency, [this, rank, key] { m_scheduler.attemptStarted(rank, key); });
        after(runTime, [this, rank, key, runTime] {
            m_lastEnd = m_now;
            --m_workers[rank].running;
            fillSlots(rank);
            after(m_latency, [this, rank, key, runTime] {
                attemptFinished(m_scheduler, rank, key, Outcome::Succeeded, runTime, at(m_now));
                --m_workers[rank].held;
                decide();
            });
        });
    }
}

void FeedingSimulation::decide()
{
    for (Assignment& assignment : m_scheduler.assignments(at(m_now))) {
        Worker& worker = m_workers[assignment.group];
        worker.held += assignment.keys.size();
        if (worker.held > worker.slots)
            m_mostUnstarted = std::max(m_mostUnstarted, worker.held - worker.slots);
        after(m_latency, [this, rank = assignment.group, keys = std::move(assignment.keys)] {
            std::ranges::copy(keys, std::back_inserter(m_workers[rank].queue));
            fillSlots(rank);
        });
    }
    for (const RecallOrder& order : m_scheduler.recalls()) {
        ++m_recalls;
        after(m_latency, [this, order] {
            std::vector<AttemptKey> keys;
            std::deque<AttemptKey>& queue = m_workers[order.group].queue;
            while (keys.size() < order.count && !queue.empty()) {
                keys.push_back(queue.back());
                queue.pop_back();
            }
            after(m_latency, [this, rank = order.group, keys] {
                m_workers[rank].held -= keys.size();
                m_scheduler.returned(rank, keys);
                decide();
            });
        });
    }
}

FeedingSimulation::Duration greedyMakespan(std::uint32_t slots,
                                           const std::vector<FeedingSimulation::Duration>& runTimes)
{
    std::vector<FeedingSimulation::Duration> freeAt(slots);
    for (const auto runTime : runTimes)
        *std::ranges::min_element(freeAt) += runTime;
    return *std::ranges::max_element(freeAt);
}

} // namespace tasuki::farm::testing
