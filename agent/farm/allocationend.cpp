// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationend.h"

#include <algorithm>
#include <utility>

namespace tasuki::farm {

namespace {

/// A shorter task may be handed out before a slot is free for it: what it is late by then is little.
constexpr std::chrono::milliseconds mayWait{500};
/// Whoever waits for a slot waits for one that runs and perhaps one before it, and runs itself.
constexpr int waitingFor = 3;

} // namespace

Fit AllocationEnd::fit(const Task& task, SteadyTime now) const
{
    if (now >= m_stopAt)
        return Fit::Late;
    const auto expected = m_forecast.of(task);
    if (!expected)
        return Fit::SlotOnly;
    if (now + *expected > m_stopAt)
        return Fit::Late;
    const auto queueing = waitingFor * std::max(m_longest, *expected);
    const bool waits = *expected <= mayWait || (m_unknown == 0 && now + queueing <= m_stopAt);
    return waits ? Fit::Ahead : Fit::SlotOnly;
}

void AllocationEnd::started(AttemptKey key, const Task& task, SteadyTime now)
{
    const auto [place, isNew] = m_running.try_emplace(key);
    if (!isNew)
        return;
    Running& running = place->second;
    if (const auto expected = m_forecast.of(task)) {
        running.expected = now + *expected;
        m_longest = std::max(m_longest, *expected);
    } else {
        ++m_unknown;
    }
    if (const auto& warning = task.settings->warning) {
        running.signalNumber = warning->signalNumber;
        running.warnFrom = m_stopAt - warning->before;
    }
}

void AllocationEnd::ended(AttemptKey key)
{
    const auto place = m_running.find(key);
    if (place == m_running.end())
        return;
    m_unknown -= place->second.expected ? 0U : 1U;
    m_running.erase(place);
}

std::vector<AllocationEnd::Warning> AllocationEnd::warningsDue(SteadyTime now)
{
    std::vector<Warning> due;
    for (auto& [key, running] : m_running) {
        const bool inTime = running.expected && *running.expected <= m_stopAt
            && now <= *running.expected;
        if (running.signalNumber == 0 || now < running.warnFrom || inTime)
            continue;
        due.push_back({.signalNumber = std::exchange(running.signalNumber, 0), .key = key});
    }
    return due;
}

} // namespace tasuki::farm
