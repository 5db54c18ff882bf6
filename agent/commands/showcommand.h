// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"

namespace tasuki {

/// `show RUN [--format table|jsonl|joblog] [--task ID] [--events]`: what a run file holds.
int showCommand(const Arguments& arguments);

} // namespace tasuki
