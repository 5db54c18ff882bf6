// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "allocation.h"
#include "domain/diagnostic.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::plan {

/// Runs of a program under one allocation.
struct Measurement {
    Allocation allocation;
    std::vector<double> seconds; ///< of each run, in the order of the file; at least one

    /// Of an even number of runs: the mean of the two in the middle.
    [[nodiscard]] double medianSeconds() const;
};

struct MeasurementReading {
    std::vector<Measurement> measurements; ///< in the order of their first runs
    std::uint64_t failedRuns = 0;          ///< left out: their status is another one than ok
    std::vector<Diagnostic> diagnostics;   ///< with an error among them nothing is to be used
};

/// Reads measured runtimes: a CSV file (RFC 4180) whose first line names the columns. `task0` to
/// `taskN` hold names of nodes, `seconds` the runtime, `status`, if it is there, `ok` for good runs;
/// others are of no interest.
/// @param file   what diagnostics call it
/// @param tasks  of the program
MeasurementReading readMeasurements(std::string_view text, const std::string& file,
                                    const Environment& environment, std::uint32_t tasks);

} // namespace tasuki::plan
