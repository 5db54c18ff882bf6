// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"

namespace tasuki {

/// `tasuki-agent plan`: predicts every allocation of a traced program's tasks and names the best.
/// @param argc, argv  of main(); MPI takes out what is meant for it
/// @return the exit code
int planCommand(const Arguments& arguments, int& argc, char**& argv);

} // namespace tasuki
