// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "entry.h"
#include "flatentries.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// The serialised layout: a map travels, and lies in files, as chunks of consecutive entries.
///
///   bytes | content, little-endian
///   ------+---------------------------------------------------------------------------------
///       4 | "TMC1"
///       8 | XXH3 check sum of all that follows
///       8 | number of entries
///       8 | bytes of the heads
///         | one head an entry: key bytes, value bytes, time, origin as LEB128; then 0, or 1 and
///         | the score as 8 bytes of an IEEE double
///         | key and value of one entry after the other, to the end
namespace tasuki::merge {

class MergeMap;

/// Cuts a map into chunks, in order. The map must outlive the writer.
class ChunkWriter {
public:
    explicit ChunkWriter(const MergeMap& map) : m_map(map) {}

    /// @param targetBytes  a chunk ends when keys and values reach this size: it is larger by up to
    ///                     one entry
    /// @return the next chunk; none: all entries have been written
    std::optional<std::string> next(std::uint64_t targetBytes);
    [[nodiscard]] bool done() const;
    /// Entries that are in chunks.
    [[nodiscard]] std::size_t written() const { return m_next; }

private:
    const MergeMap& m_map;
    std::size_t m_next = 0;
};

/// What a chunk holds; the entries point into the block.
struct Chunk {
    Block block;
    std::vector<Entry> entries;
};

/// Checks a chunk from whoever it comes: no size that it claims is believed before it is seen to
/// fit. The order of the entries is not checked here, as it depends on the law.
/// @return an Error of kind Damaged
Result<Chunk> readChunk(Block block);

} // namespace tasuki::merge
