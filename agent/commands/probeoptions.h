// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "startup/commandline.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace tasuki {

/// What `probe` was asked to do.
struct ProbeOptions {
    bool help = false;
    std::optional<std::string> output;         ///< the environment file; "-": standard output
    std::optional<std::string> csv;            ///< for every single measurement
    std::optional<std::uint64_t> repetitions;  ///< none: what fits in the time
    std::optional<std::uint64_t> largestBytes; ///< none: the usual, where a link is quick enough
    std::chrono::microseconds speedSpan{2'000'000};
    bool oneNodeAtATime = false;
    bool pairsAtOnce = false;
    bool ranksAsNodes = false;
    std::optional<std::string> reference; ///< a node's name; none: the fastest one
    bool quiet = false;
};

/// @return the options, or an Error of kind Input
Result<ProbeOptions> parseProbeOptions(const Arguments& arguments);

/// @return what `probe --help` prints
std::string probeHelp();

} // namespace tasuki
