// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"

namespace tasuki {

/// `tasuki-agent merge FILE... -o OUT`, on every rank.
/// @param arguments  without "merge"
/// @param argc, argv  of main(), for MPI
/// @return the process's exit code
int mergeCommand(const Arguments& arguments, int& argc, char**& argv);

} // namespace tasuki
