// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"
#include "domain/outputfetch.h"

#include <cstdint>
#include <vector>

/// What the processor that prints the output of tasks and those that have it tell each other. A
/// processor answers any other, whatever ranks the two hold: no chief has a part in it.
namespace tasuki::farm {

/// The next stretch of an attempt's output, please: Executor::fetch().
struct FetchOutput {
    std::uint32_t number = 0;
    OutputQuery query;
    bool wait = false; ///< until there is something, or the attempt has ended
    bool operator==(const FetchOutput&) const = default;
};

/// Answer to each FetchOutput, with its number.
struct OutputFetched {
    std::uint32_t number = 0;
    FetchedOutput output;
    bool operator==(const OutputFetched&) const = default;
};

/// From the processor that prints to those that may go on with it: so much is printed line by line by now.
struct OutputPrinted {
    std::vector<PrintedOutput> outputs;
    bool operator==(const OutputPrinted&) const = default;
};

/// Nothing of the output of an attempt that has ended is needed any more.
struct ReleaseOutput {
    AttemptKey key;
    bool operator==(const ReleaseOutput&) const = default;
};

} // namespace tasuki::farm
