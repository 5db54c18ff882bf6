// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "node/outputoptions.h"
#include "startup/commandline.h"

#include <string>

namespace tasuki {

/// Adds the options that are about output.
/// @param usualOrder  of a command, unless another one is chosen
void addOutputOptions(boost::program_options::options_description& options, OutputOrder usualOrder);

/// @param command  as errors name it
/// @return an Error of kind Input when they are wrong
Result<OutputOptions> readOutputOptions(const boost::program_options::variables_map& values,
                                        const std::string& command, OutputOrder usualOrder);

/// Looks on the first processor whether the places can be used; makes the directory of files.
/// @return an Error of kind Input that names the option
Result<void> prepareOutput(const OutputOptions& options, const std::string& command);

} // namespace tasuki
