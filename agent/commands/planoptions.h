// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "plan/modelpredictor.h"
#include "plan/unfollowed.h"
#include "startup/commandline.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace tasuki {

/// How runtimes are predicted.
using PlanModel = plan::Model;

/// How the answer is printed.
enum class PlanFormat : std::uint8_t { Table, Csv, JsonLines };

/// What `plan` was asked to do.
struct PlanOptions {
    bool help = false;
    std::string trace;
    std::string environment;
    PlanModel model = PlanModel::Replay;
    PlanFormat format = PlanFormat::Table;
    std::optional<std::string> measured;  ///< a file with measured runtimes
    std::size_t rows = 100;               ///< that are printed
    std::size_t keep = 10'000;            ///< allocations of the CSV file
    std::optional<std::uint32_t> threads; ///< none: a core each
    std::optional<std::string> csv;
    std::optional<std::string> bundle;
    unsigned unfollowedPercent =
        plan::usualUnfollowedPercent; ///< of a task, that a plan may rest on
    bool quiet = false;
    std::chrono::milliseconds lostAfter{10'000};
};

/// @return an Error of kind Input that names the option and what was expected
Result<PlanOptions> parsePlanOptions(const Arguments& arguments);

std::string planHelp();

/// @return "replay" or "lsmg"
const char* planModelName(PlanModel model);

} // namespace tasuki
