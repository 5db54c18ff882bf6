// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/allocation.h"
#include "plan/allocationcount.h"
#include "plan/ranking.h"
#include "planrows.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::planning {

/// What a search is told about in words.
struct PlanSummary {
    std::string traceName;
    std::uint32_t tasks = 0;
    std::uint64_t records = 0; ///< of the log
    double tracedUs = 0.0;     ///< the runtime in the trace, of what counts
    std::string model;
    /// That there are; none: nobody knows.
    std::optional<plan::AllocationCount> allocations = {};
    std::vector<MeasuredAllocation> measured = {};
};

/// The allocations, best first, with their predicted runtimes, the spread, and what it means; or, when
/// not all were tried, that the best is only the best so far. Where some were measured, their times
/// and errors stand beside.
/// @param rows  at most so many of the best; the worst one of all always stands last
std::string planTable(const PlanSummary& summary, const plan::Environment& environment,
                      const plan::Ranking& ranking, std::size_t rows);

} // namespace tasuki::planning
