// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace tasuki::tracer {

/// What the environment of rank 0 asks for.
struct Settings {
    std::string file;                    ///< TASUKI_ALOG, made absolute
    std::uint32_t memoryMiB = 64;        ///< TASUKI_ALOG_MEMORY, for the events of one rank
    bool verbose = false;                ///< TASUKI_ALOG_VERBOSE=1
    bool measureAllClocks = false;       ///< TASUKI_ALOG_CLOCK=measure: of ranks on one host too
    std::vector<std::string> complaints; ///< one line for each value that cannot be used
};

/// @param variable   gives the value of an environment variable, or null
/// @param directory  the working directory
Settings readSettings(const std::function<const char*(const char*)>& variable,
                      const std::string& directory);

} // namespace tasuki::tracer
