// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "merge/mergemap.h"

#include <atomic>
#include <cstdint>
#include <string>

namespace tasuki::merge {

/// Shared by who writes and who waits for it; any thread.
struct WriteProgress {
    std::atomic<std::uint64_t> bytes{0};
    std::atomic<bool> cancelled{false}; ///< set to end the writing
};

/// Checks that a file can be put in a place, before any work is done.
/// @param path  "-": standard output
Result<void> checkOutput(const std::string& path);

/// Writes a map as lines `key<TAB>value` in the order of keys. The file appears whole and on the
/// disk, or not at all: what stood there before stays until then.
/// @param path     "-": standard output, which can break off
/// @return an Error also when the writing was cancelled
Result<void> writeMapFile(const std::string& path, const MergeMap& map, WriteProgress& progress);

/// @return the article's listing of one rank's map: "rank = 0", then key:value lines
std::string mapListing(int rank, const MergeMap& map);

} // namespace tasuki::merge
