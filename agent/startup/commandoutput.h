// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <chrono>
#include <string>
#include <vector>

namespace tasuki {

/// Runs a program that is found by PATH and waits for its end.
/// @param settings  entries "NAME=VALUE" that are added to this process's environment
/// @return what it wrote to standard output; an Error with its own words when it cannot be started, ends with
///         another exit code than 0, or takes longer
Result<std::string> commandOutput(const std::vector<std::string>& arguments,
                                  const std::vector<std::string>& settings,
                                  std::chrono::milliseconds patience);

} // namespace tasuki
