// SPDX-License-Identifier: GPL-3.0-or-later
#include "plansearcher.h"

namespace tasuki::planner {

PlanSearcher::~PlanSearcher() = default;

} // namespace tasuki::planner
