// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/topologytext.h"
#include "domain/result.h"
#include "startup/commandline.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// What was asked of `check`.
struct CheckOptions {
    bool help = false;
    std::string topology;
    std::optional<std::uint32_t> processors; ///< of the launch
    std::vector<std::string> hosts; ///< of the launch's processors, by number; empty: not given
    bool ascii = false;
};

/// @return the options, or what is wrong with them
Result<CheckOptions> parseCheckOptions(const Arguments& arguments);

/// @return what --help prints
std::string checkHelp();

/// @return what lines people can see: box lines when the language that the environment asks for is
///         written in UTF-8
config::LineStyle environmentLineStyle();

} // namespace tasuki
