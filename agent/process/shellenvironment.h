// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki {

/// Entries "NAME=VALUE".
using EnvironmentEntries = std::vector<std::string>;

/// @return the value of the first entry of that name; none: there is none
std::optional<std::string_view> valueIn(const EnvironmentEntries& entries, std::string_view name);

/// @return this process's environment
EnvironmentEntries ownEnvironment();

/// From what the environment of tasks is made.
struct ShellSources {
    EnvironmentEntries own;                     ///< that the agent was started with
    std::span<const std::string_view> internal; ///< names that are Tasuki's own affair
    bool underLauncher = false; ///< started by an MPI launcher, which has added to `own`
    /// That the launcher was started with; none: not known on this host.
    std::optional<EnvironmentEntries> shell = {};
    /// Without `shell`: what the user has set of launchers' variables, as far as it was told.
    EnvironmentEntries userSettings = {};
    /// Where the launcher is installed, if it puts its own directories before those of PATH and
    /// LD_LIBRARY_PATH.
    std::string installed = {};
};

/// The environment that a user's shell would have had on this host: what launchers have added is
/// taken back, what the user has set stays, also what was set for the ranks alone (mpirun -x).
EnvironmentEntries shellEnvironment(const ShellSources& sources);

/// @return those of the entries that launchers set too, as one word of printable ASCII
std::string userSettingsText(const EnvironmentEntries& shell);
EnvironmentEntries parseUserSettings(std::string_view text);

/// @param block  content of /proc/PID/environ
EnvironmentEntries parseEnvironment(std::string_view block);

} // namespace tasuki
