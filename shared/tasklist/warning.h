// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "domain/task.h"

#include <string>
#include <string_view>

namespace tasuki {

/// Reads a warning as lists have it: USR1@60s, SIGTERM@2m, 10@500ms.
/// @return an Error of kind Input, without a place, for anything else
Result<EndWarning> parseWarning(std::string_view text);

/// Writes a warning so that parseWarning reads the same back.
std::string formatWarning(const EndWarning& warning);

} // namespace tasuki
