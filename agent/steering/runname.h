// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "wire/accessfile.h"

#include <filesystem>
#include <optional>
#include <string>

namespace tasuki::steering {

/// What is found under the name of a run.
struct FoundRun {
    std::filesystem::path record; ///< where its record is read, if this host sees it
    /// The access file of the agent that works on it, if one lives on this host.
    std::optional<std::filesystem::path> accessFile = {};
    /// The host on which an agent has left word that it works on it, if that is another one: whether it still does is not known.
    std::string elsewhere = {};
};

/// Finds the agent and the record of a run.
/// @param name             path of a run file, or of the access file of an agent
/// @param accessDirectory  where agents leave word
/// @return an Error for what is neither, or cannot be read
Result<FoundRun> findRun(const std::string& name, const std::filesystem::path& accessDirectory);
/// The same, where agents of this user leave word.
Result<FoundRun> findRun(const std::string& name);

/// @return why nobody can carry out a command on a run, and what to do
Error notLiving(const std::string& name, const FoundRun& run);

} // namespace tasuki::steering
