// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "planoptions.h"

#include "domain/result.h"
#include "plan/environment.h"
#include "plan/ranking.h"
#include "planning/planreport.h"

#include <string>

namespace tasuki {

/// Finds out whether the CSV file and the bundle can be written, before anybody searches for long.
Result<void> preparePlanOutput(const PlanOptions& options);

/// @return what was found, in the format that was asked for
std::string planText(const PlanOptions& options, const planning::PlanSummary& summary,
                     const plan::Environment& environment, const plan::Ranking& ranking);

/// Writes the CSV file and the bundle of the best allocation, as asked, and prints how to start it, on
/// standard error where standard output is for programs.
/// Precondition: something was tried.
Result<void> writePlanOutput(const PlanOptions& options, const planning::PlanSummary& summary,
                             const plan::Environment& environment, const plan::Ranking& ranking);

} // namespace tasuki
