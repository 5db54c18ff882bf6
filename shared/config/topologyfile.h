// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "topologyreader.h"

#include <cstddef>
#include <string>

/// Topologies as TOML files, which people write and the window edits.
namespace tasuki::config {

inline constexpr std::size_t largestTopologyFile = std::size_t{16} << 20U; ///< bytes

/// @return the bytes of a file that may be a topology; an Error of kind Input, with the file as its
///         place, when it cannot be read or is too large
Result<std::string> readTopologyBytes(const std::string& path);

/// As readTopologyText(); a file that cannot be read, or is too large, is a diagnostic without a
/// line.
TopologyReading readTopologyFile(const std::string& path);

/// @return a file with short comments, the same for equal topologies, that reads back as an equal
///         one, provided that it has no faults
std::string topologyFileText(const Topology& topology);

/// Puts topologyFileText() in a file, whole or not at all.
Result<void> writeTopologyFile(const std::string& path, const Topology& topology);

} // namespace tasuki::config
