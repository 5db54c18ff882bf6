// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"

namespace tasuki {

/// `tail RUN TASK`: what a task has written and writes.
int tailCommand(const Arguments& arguments);

} // namespace tasuki
