// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <boost/program_options/options_description.hpp>
#include <boost/program_options/positional_options.hpp>
#include <boost/program_options/variables_map.hpp>

#include <string>
#include <vector>

namespace tasuki {

using Arguments = std::vector<std::string>;

/// Parses a command's arguments.
/// @param command   for the error's remedy, e.g. "farm"
/// @return an Error of kind Input that names the option and the remedy; never throws
Result<boost::program_options::variables_map> parseOptions(
    const std::string& command, const Arguments& arguments,
    const boost::program_options::options_description& options,
    const boost::program_options::positional_options_description& positional);

/// @param names  of options, long, and of positional arguments
/// @return the arguments without these; nothing when there are mistakes in them
Arguments withoutOptions(const Arguments& arguments, const std::vector<std::string>& names,
                         const boost::program_options::options_description& options,
                         const boost::program_options::positional_options_description& positional);

/// Prints a text on standard output, and what was printed before.
Result<void> printText(const std::string& text);
/// Prints "tasuki-agent: error: TEXT" as one line on standard error.
void printError(const Error& error);
/// Prints "tasuki-agent: warning: TEXT" as one line on standard error.
void printWarning(const std::string& text);

} // namespace tasuki
