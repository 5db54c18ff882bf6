// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"

namespace tasuki {

/// `launch -n N [MPIRUN OPTIONS] -- COMMAND ...`: starts mpirun with recovery on and returns the
/// exit code of the run.
int launchCommand(const Arguments& arguments);

} // namespace tasuki
