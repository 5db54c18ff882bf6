// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/allocation.h"
#include "plan/ranking.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace tasuki::planning {

/// What a search is told about in words.
struct PlanSummary {
    std::string traceName;
    std::uint32_t tasks = 0;
    std::uint64_t records = 0; ///< of the log
    double tracedUs = 0.0;     ///< the runtime in the trace, of what counts
    std::string model;
    std::uint64_t allocations = 0; ///< that there are
};

/// The allocations, best first, with their predicted runtimes, the spread, and what it means.
/// @param rows  at most so many of the best; the worst one always stands last
std::string planTable(const PlanSummary& summary, const plan::Environment& environment,
                      const plan::Ranking& ranking, std::size_t rows);

/// The same for programs: a line with the names of the columns, then one line an allocation.
std::string planCsv(const plan::Environment& environment, const plan::Ranking& ranking);

} // namespace tasuki::planning
