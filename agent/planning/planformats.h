// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "planreport.h"

namespace tasuki::planning {

/// The allocations for programs (RFC 4180): a line with the names of the columns, then one line an
/// allocation.
std::string planCsv(const PlanSummary& summary, const plan::Environment& environment,
                    const plan::Ranking& ranking, std::size_t rows);

/// The report for programs, one JSON object a line: the plan, then the allocations. What follows from
/// all allocations is null when not all were tried.
std::string planJson(const PlanSummary& summary, const plan::Environment& environment,
                     const plan::Ranking& ranking, std::size_t rows);

} // namespace tasuki::planning
