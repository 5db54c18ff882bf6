// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "runfile/runfilereader.h"

#include <string>

namespace tasuki {

/// Shows the ranks of worlds of a run, and what their programs do now: an agent of this host that works on it is asked.
/// @param run   as it was named
/// @param json  a JSON object a line instead of a table
Result<void> showWorlds(RunFileReader& reader, const std::string& run, bool json);

} // namespace tasuki
