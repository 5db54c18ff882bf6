// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"

namespace tasuki {

/// `tasuki-agent probe [-o ENVIRONMENT]`, on every rank.
/// @param arguments  without "probe"
/// @param argc, argv  of main(), for MPI
/// @return the process's exit code
int probeCommand(const Arguments& arguments, int& argc, char**& argv);

} // namespace tasuki
