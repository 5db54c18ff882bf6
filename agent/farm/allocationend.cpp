// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationend.h"

namespace tasuki::farm {

namespace {

/// A shorter task may be handed out before a slot is free for it: what it is late by then is little.
constexpr std::chrono::milliseconds mayWait{500};

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
    return *expected <= mayWait ? Fit::Ahead : Fit::SlotOnly;
}

void AllocationEnd::started(AttemptKey key, const Task& task, SteadyTime now)
{
    if (!task.settings->warning)
        return;
    const auto expected = m_forecast.of(task);
    m_running[key] = {.signalNumber = task.settings->warning->signalNumber,
                      .from = m_stopAt - task.settings->warning->before,
                      .expected = expected ? std::optional<SteadyTime>(now + *expected)
                                           : std::nullopt};
}

std::vector<AllocationEnd::Warning> AllocationEnd::warningsDue(SteadyTime now)
{
    std::vector<Warning> due;
    std::erase_if(m_running, [&](const auto& entry) {
        const Running& running = entry.second;
        const bool inTime = running.expected && *running.expected <= m_stopAt
            && now <= *running.expected;
        if (now < running.from || inTime)
            return false;
        due.push_back({.signalNumber = running.signalNumber, .key = entry.first});
        return true;
    });
    return due;
}

} // namespace tasuki::farm
