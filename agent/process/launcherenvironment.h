// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <span>
#include <string_view>

namespace tasuki {

/// A kind of environment variable that a task must not inherit from its agent.
struct LauncherVariable {
    std::string_view name;   ///< the whole name, or how it begins
    bool prefix;             ///< name is only the beginning
    bool inherited;          ///< an exception from a more general row: passed on after all
    std::string_view reason; ///< in one line, for documentation
};

/// The rules, the more special ones first.
std::span<const LauncherVariable> launcherVariables();

/// @param name  of an environment variable, without '=' and value
/// @return whether a task must not inherit it
bool isLauncherVariable(std::string_view name);

} // namespace tasuki
