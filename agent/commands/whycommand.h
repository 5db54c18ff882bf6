// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"

namespace tasuki {

/// `why RUN [TASK...]`: why tasks are as they are.
int whyCommand(const Arguments& arguments);

} // namespace tasuki
