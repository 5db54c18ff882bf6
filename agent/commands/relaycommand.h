// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"

namespace tasuki {

/// Carries the link of a window on another host between standard input and output and a run.
/// @return the exit code
int relayCommand(const Arguments& arguments);

} // namespace tasuki
