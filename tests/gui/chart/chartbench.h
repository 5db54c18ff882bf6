// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "chart/allocationresult.h"

#include <algorithm>
#include <cstdint>
#include <initializer_list>

namespace tasuki::testing {

inline plan::Allocation nodes(std::initializer_list<std::uint32_t> numbers)
{
    plan::Allocation allocation;
    for (const std::uint32_t number : numbers)
        allocation.emplace_back(number);
    return allocation;
}

inline AllocationResult result(plan::Allocation allocation, double predictedUs,
                               std::optional<double> measuredUs = std::nullopt)
{
    AllocationResult made;
    QStringList words;
    for (const plan::Node node : allocation) {
        words << QString::number(node.value());
        made.nodes << QStringLiteral("grid0%1").arg(node.value());
    }
    made.label = words.join(QLatin1Char(' '));
    made.allocation = std::move(allocation);
    made.predictedUs = predictedUs;
    made.measuredUs = measuredUs;
    return made;
}

/// All permutations of tasks on as many nodes, in their order: the first takes 1 s, each following
/// one `stepUs` more. Measured, where wanted, 5 % longer.
inline AllocationResults permutations(std::uint32_t tasks, double stepUs, bool measured = false)
{
    plan::Allocation allocation;
    for (std::uint32_t task = 0; task < tasks; ++task)
        allocation.emplace_back(task);
    AllocationResults results;
    do {
        const double us = 1e6 + stepUs * static_cast<double>(results.listed.size());
        results.listed.push_back(
            result(allocation, us, measured ? std::optional(us * 1.05) : std::nullopt));
    } while (std::next_permutation(allocation.begin(), allocation.end(),
                                   [](plan::Node a, plan::Node b) { return a < b; }));
    results.tried = results.listed.size();
    return results;
}

} // namespace tasuki::testing
