// SPDX-License-Identifier: GPL-3.0-or-later
// Hosts of a simulated system whose clocks are wrong.
#include "simulatednode.h"

#include <cmath>

namespace tasuki::hierarchy::testing {

namespace {

/// As docs/membership.md has it.
constexpr double assumedDrift = 0.0201;

} // namespace

void SystemSimulation::setClock(std::uint32_t host, double rate)
{
    m_clocksAreWrong = m_clocksAreWrong || std::abs(rate - 1) > assumedDrift;
    if (m_clocksAreWrong)
        excuseAll();
    for (const auto& one : m_nodes) {
        if (hostOf(one->self()) == host)
            one->clock.setRate(rate);
    }
}

void SystemSimulation::noteOverlap(ProcessorId former, const std::string& what)
{
    if (m_clocksAreWrong)
        m_overlaps.try_emplace(former, now(), now()).first->second.second = now();
    else
        m_violations.push_back(what);
}

std::map<ProcessorId, std::chrono::nanoseconds> SystemSimulation::overlaps() const
{
    std::map<ProcessorId, std::chrono::nanoseconds> lengths;
    for (const auto& [processor, seen] : m_overlaps)
        lengths[processor] = seen.second - seen.first;
    return lengths;
}

void SystemSimulation::overlapTold(const Overlap& overlap)
{
    if (!m_overlapsTold.insert(overlap.processor).second)
        return;
    if (!m_clocksAreWrong)
        m_violations.push_back("it was told that " + std::to_string(overlap.processor.value())
                               + " went on, though all clocks are right");
}

} // namespace tasuki::hierarchy::testing
