// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"

namespace tasuki {

/// `top RUN`: ranks, rates, failures and alarms of a run, on the whole terminal.
int topCommand(const Arguments& arguments);

} // namespace tasuki
