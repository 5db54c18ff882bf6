// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "commandline.h"

#include "domain/outputkeeping.h"
#include "domain/result.h"
#include "report/outputdelivery.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tasuki {

/// What becomes of the output of tasks.
struct OutputOptions {
    OutputOrder order = OutputOrder::Grouped;
    bool tagged = false;
    std::optional<std::string> directory; ///< files there instead of printing
    /// That the record keeps of each stream of an attempt.
    std::uint64_t recordBytes = OutputKeeping::usualBytes;
    std::string temporary; ///< where what is longer is put, on each host
};

/// Adds the options that are about output.
void addOutputOptions(boost::program_options::options_description& options);

/// @param command  as errors name it
/// @return an Error of kind Input when they are wrong
Result<OutputOptions> readOutputOptions(const boost::program_options::variables_map& values,
                                        const std::string& command);

/// Looks on the first processor whether the places can be used; makes the directory of files.
/// @return an Error of kind Input that names the option
Result<void> prepareOutput(const OutputOptions& options, const std::string& command);

} // namespace tasuki
