// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"

#include <optional>
#include <string>

namespace tasuki {

/// Gives a command about a run on another host (ssh://HOST/PATH) there, over ssh. Those that only look come back by
/// themselves when the link was lost.
/// @param arguments  of the command; the first that is such an address names the run
/// @return the exit code; none: the run is no such address
std::optional<int> remoteCommand(const std::string& command, const Arguments& arguments);

} // namespace tasuki
