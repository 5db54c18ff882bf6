// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"

namespace tasuki {

/// `wait RUN [TASK...]`: until tasks have ended.
int waitCommand(const Arguments& arguments);

} // namespace tasuki
