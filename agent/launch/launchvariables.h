// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <string_view>

namespace tasuki {

// What `launch` tells the processors that it starts, by their environment. No task gets any of it.

/// The word that makes a line a report to `launch`.
inline constexpr auto exitReportTokenVariable = "TASUKI_LAUNCH_TOKEN";
/// Columns of the terminal that `launch` stands on; absent when it stands on none.
inline constexpr auto terminalColumnsVariable = "TASUKI_TERMINAL_COLUMNS";
/// Process id of `launch`, followed by a blank and its host key.
inline constexpr auto launcherProcessVariable = "TASUKI_LAUNCHER_PROCESS";
/// What the user has set of variables that launchers set too (userSettingsText()), for processors on
/// other hosts.
inline constexpr auto userSettingsVariable = "TASUKI_LAUNCH_SETTINGS";

inline constexpr std::array<std::string_view, 4> launchVariables{
    exitReportTokenVariable, terminalColumnsVariable, launcherProcessVariable,
    userSettingsVariable};

} // namespace tasuki
