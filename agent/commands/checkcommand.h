// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "startup/commandline.h"
#include "startup/exitcode.h"

#include <string>

namespace tasuki {

/// What `check` has to say.
struct CheckReport {
    ExitCode code = ExitCode::Success;
    std::string output = {}; ///< for standard output
    std::string errors = {}; ///< for standard error
};

/// Does what checkCommand() does, but for printing.
CheckReport checkTopology(const Arguments& arguments);

/// `check TOPOLOGY [-n N] [--hosts HOST:N,...] [--ascii]`: what is wrong in a topology file, or its
/// settings and its tree.
int checkCommand(const Arguments& arguments);

} // namespace tasuki
