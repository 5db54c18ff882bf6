// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/diagnostic.h"
#include "domain/result.h"
#include "environment.h"
#include "environmentrules.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// Environments as TOML files, which people write and `probe` measures.
namespace tasuki::plan {

/// What reading a file has come to.
struct EnvironmentReading {
    /// None when a diagnostic is an error. Its links have room for every pair of nodes.
    std::optional<Environment> environment;
    std::vector<Diagnostic> diagnostics; ///< in the order of the file, each with its place
};

/// Reads the content of an environment file and tells everything that is wrong in it; after a
/// violation of TOML's syntax that alone.
/// @param file  what diagnostics call it
EnvironmentReading readEnvironmentText(std::string_view text, const std::string& file);

/// The same for a file; one that cannot be read is a diagnostic without a line.
EnvironmentReading readEnvironmentFile(const std::string& path);

/// @return a file with short comments that reads back as an equal environment, provided that links
///         has room for every pair and everything is within the limits
std::string environmentText(const Environment& environment);

/// Puts environmentText() in a file, whole or not at all.
Result<void> writeEnvironmentFile(const std::string& path, const Environment& environment);

} // namespace tasuki::plan
