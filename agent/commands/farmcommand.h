// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farmoptions.h"

#include "startup/commandline.h"

namespace tasuki {

/// `farm TASKS ...`: runs a task list on the slots of all ranks of the launch; `serve ...`: the
/// tasks that windows add.
/// @param argc, argv  of main(), for MPI
int farmCommand(FarmCommand command, const Arguments& arguments, int& argc, char**& argv);

} // namespace tasuki
