// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "planoptions.h"

#include "domain/result.h"
#include "plan/environment.h"
#include "plan/ranking.h"

namespace tasuki {

/// Finds out whether the CSV file and the bundle can be written, before anybody searches for long.
Result<void> preparePlanOutput(const PlanOptions& options);

/// Writes the CSV file and the bundle of the best allocation, as asked, and prints how to start it.
/// Precondition: something was tried.
Result<void> writePlanOutput(const PlanOptions& options, const plan::Environment& environment,
                             const plan::Ranking& ranking);

} // namespace tasuki
