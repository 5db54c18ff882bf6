// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"

#include <cstdio>
#include <string>

namespace tasuki {

/// Prints what an attempt wrote, its standard output to `out` and its standard error to `errors`,
/// each in one piece; says how much was dropped from the middle. Ends unfinished lines of
/// standard error, so that the progress line does not run into them.
void printOutput(const AttemptResult& result, std::FILE* out, std::FILE* errors);

/// @return a line for each stream of which the record does not keep all
std::string outputSizes(const AttemptResult& result);

} // namespace tasuki
