// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"
#include "steeroptions.h"

namespace tasuki {

/// `cancel | hold | release | retry RUN TASK...`: the agent of a living run does it.
int steerCommand(SteerCommand command, const Arguments& arguments);

} // namespace tasuki
