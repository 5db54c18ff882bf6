// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "restartterms.h"

#include "domain/result.h"

#include <optional>

namespace tasuki {

/// How a supervised launch ended.
struct LaunchEnd {
    std::optional<int> reported = {};        ///< exit code that rank 0 reported
    bool interrupted = false;                ///< the user asked for the end
    bool rootRefused = false;                ///< mpirun said that it does not run as root
    int outputError = 0;                     ///< errno of standard output; 0: all of it was written
    int waitStatus = 0;                      ///< of mpirun, as wait() gives it
    std::optional<RestartTerms> terms = {};  ///< that rank 0 told last, if any
    std::optional<std::string> runFile = {}; ///< in which something is recorded of this start
};

/// @param end  without a report
/// @param resuming  the command that goes on with what was recorded, as "farm"; empty: there is none
/// @return what to tell about it, with what to do
Error endWithoutReport(const LaunchEnd& end, const std::string& resuming);

} // namespace tasuki
