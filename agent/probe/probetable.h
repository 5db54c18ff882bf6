// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "assessment.h"

#include <string>

namespace tasuki::probe {

/// @return two tables for people: nodes with their speeds, links with their figures
std::string probeTable(const Assessment& assessment);

} // namespace tasuki::probe
