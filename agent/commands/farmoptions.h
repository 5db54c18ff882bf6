// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandline.h"

#include "domain/result.h"
#include "domain/task.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace tasuki {

/// What `farm` was asked to do.
struct FarmOptions {
    bool help = false;
    std::optional<std::string> taskList; ///< none: the tasks of the record (resume only)
    std::string runFile;                 ///< with resume: must exist; else: must not
    bool resume = false;
    bool retryFailed = false;
    bool dedicatedMaster = false;
    std::optional<std::uint32_t>
        slots; ///< of each rank; none: the host's cores shared by its ranks
    RetryBudget retries;
    std::optional<std::chrono::milliseconds> timeout;
    std::chrono::milliseconds lostAfter{10'000};
    std::optional<std::string> cpsLog; ///< none: no log
    bool dryRun = false;
    bool quiet = false;
};

/// @return the options, or an Error of kind Input
Result<FarmOptions> parseFarmOptions(const Arguments& arguments);

/// @return what `farm --help` prints
std::string farmHelp();

} // namespace tasuki
