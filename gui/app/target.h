// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <QString>

#include <filesystem>

namespace tasuki {

/// What an argument of the command line means.
struct Target {
    enum class Kind : std::uint8_t { Agent, RunFile, Remote, Trace, Environment, Topology };
    Kind kind = Kind::RunFile;
    QString path; ///< of the file; of Remote its address, ssh://HOST/PATH
    bool operator==(const Target&) const = default;
};

/// Finds what is meant by a path of a run file, of a trace, of an environment or topology file, of an
/// access file or of an agent's socket, by the address of a run on another host, or by the beginning of a run's id.
/// @param accessDirectory  where agents leave their access files
/// @return an Error of kind Input that says what was expected
Result<Target> findTarget(const QString& argument, const std::filesystem::path& accessDirectory);

/// @return whether a file is a trace, by its name or by its first lines
bool looksLikeTrace(const QString& path);

/// @return whether a TOML file is a topology, by the first table in it that is known; else it is an
///         environment, as one that has none
bool looksLikeTopology(const QString& path);

} // namespace tasuki
