// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "node/farmoptions.h"
#include "startup/commandline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki {

/// Which of these commands is meant.
enum class FarmCommand : std::uint8_t { Farm, Serve, World };
/// @return the command of that name; none: it is another one
std::optional<FarmCommand> farmCommandOf(std::string_view name);

/// @return the options, or an Error of kind Input
Result<FarmOptions> parseFarmOptions(FarmCommand command, const Arguments& arguments);

/// @param arguments  without mistakes
/// @return the arguments with which a recorded run goes on by itself, with the tasks of the record
Arguments resumingArguments(FarmCommand command, const Arguments& arguments,
                            const std::string& runFile);

/// @return what `farm --help`, `serve --help` or `world --help` prints
std::string farmHelp(FarmCommand command);

} // namespace tasuki
