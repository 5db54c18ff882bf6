// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"

namespace tasuki {

/// `add RUN [LINE...]`: new tasks for a living run.
int addCommand(const Arguments& arguments);

} // namespace tasuki
