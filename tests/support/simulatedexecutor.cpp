// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulatedexecutor.h"

#include <algorithm>
#include <utility>

namespace tasuki {

void SimulatedExecutor::start(Launch launch)
{
    const bool taken = std::ranges::any_of(
        m_running, [&](const auto& entry) { return entry.second.slot == launch.slot; });
    if (taken || launch.slot.value() >= m_slots || m_running.size() >= m_slots)
        m_complaint = "a slot is used twice";
    if (m_running.contains(launch.key))
        m_complaint = "an attempt is started twice";
    Plan plan = m_planner(launch);
    const SteadyTime now = m_clock.now();
    m_running.insert_or_assign(launch.key,
                               Running{.slot = launch.slot,
                                       .startedAt = now,
                                       .endsAt = now + plan.runTime,
                                       .wallStart = m_clock.wallNow(),
                                       .startTold = false,
                                       .result = std::move(plan.result)});
}

void SimulatedExecutor::stop(AttemptKey key, StopReason reason)
{
    const auto found = m_running.find(key);
    if (found == m_running.end())
        return;
    Running& attempt = found->second;
    attempt.endsAt = std::min(attempt.endsAt, m_clock.now() + killTime);
    if (attempt.endsAt > m_clock.now()) {
        attempt.result.outcome = reason == StopReason::Cancelled ? Outcome::Cancelled
                                                                 : Outcome::Interrupted;
    }
}

void SimulatedExecutor::stopAll(StopReason reason, std::function<void()> done)
{
    for (const auto& [key, attempt] : m_running)
        stop(key, reason);
    m_stopOrders.push_back({m_clock.now() + killTime, std::move(done)});
}

void SimulatedExecutor::peek(const OutputQuery& query, std::function<void(OutputAnswer)> answer)
{
    const bool runs = m_running.contains(query.key);
    m_peeks.emplace_back([query, runs, answer = std::move(answer)] {
        answer(OutputAnswer{.key = query.key, .known = runs, .running = runs});
    });
}

void SimulatedExecutor::fetch(const OutputQuery& query, bool,
                              std::function<void(FetchedOutput)> answer)
{
    m_peeks.emplace_back([query, answer = std::move(answer)] {
        answer({.answer = {.key = query.key}, .problem = {}});
    });
}

void SimulatedExecutor::poll()
{
    for (const auto& tell : std::exchange(m_peeks, {}))
        tell();
    const SteadyTime now = m_clock.now();
    std::vector<std::pair<SteadyTime, AttemptKey>> ended;
    std::vector<AttemptKey> begun;
    for (auto& [key, attempt] : m_running) {
        if (attempt.endsAt <= now)
            ended.emplace_back(attempt.endsAt, key);
        if (!attempt.startTold && now - attempt.startedAt >= startTime)
            begun.push_back(key);
    }
    for (const AttemptKey& key : begun) {
        Running& attempt = m_running.at(key);
        attempt.startTold = true;
        m_callbacks.started(key, attempt.wallStart);
    }
    std::ranges::sort(ended);
    for (const auto& [when, key] : ended) {
        auto attempt = m_running.extract(key);
        AttemptResult result = std::move(attempt.mapped().result);
        result.startedAt = attempt.mapped().wallStart;
        result.elapsed = std::chrono::floor<std::chrono::microseconds>(
            attempt.mapped().endsAt - attempt.mapped().startedAt);
        m_callbacks.finished(key, std::move(result));
    }
    std::vector<StopOrder> done;
    std::erase_if(m_stopOrders, [&](StopOrder& order) {
        if (order.doneAt > now)
            return false;
        done.push_back(std::move(order));
        return true;
    });
    for (const StopOrder& order : done)
        order.done();
}

std::optional<SteadyTime> SimulatedExecutor::nextDue() const
{
    std::optional<SteadyTime> due;
    const auto consider = [&due](SteadyTime time) { due = due ? std::min(*due, time) : time; };
    for (const auto& [key, attempt] : m_running) {
        consider(attempt.endsAt);
        if (!attempt.startTold)
            consider(attempt.startedAt + startTime);
    }
    for (const StopOrder& order : m_stopOrders)
        consider(order.doneAt);
    return due;
}

void SimulatedExecutor::breakDown(std::string reason)
{
    m_running.clear();
    m_callbacks.failed(std::move(reason));
}

} // namespace tasuki
