// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "entry.h"
#include "flatentries.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// The serialised layout: a map travels, and lies in files, as chunks of consecutive entries.
///
///   bytes | content, little-endian
///   ------+---------------------------------------------------------------------------------
///       4 | "TMC2"
///       8 | XXH3 check sum of all that follows
///       8 | number of entries
///         | one record (record.h) after the other, to the end
namespace tasuki::merge {

class MergeMap;

/// Cuts a map into chunks, in order. The map must outlive the writer.
class ChunkWriter {
public:
    explicit ChunkWriter(const MergeMap& map) : m_map(map) {}

    /// @param targetBytes  a chunk ends when its records reach this size: it is larger by up to one
    ///                     record
    /// @return the next chunk; none: all entries have been written
    std::optional<std::string> next(std::uint64_t targetBytes);
    [[nodiscard]] bool done() const;
    /// Entries that are in chunks.
    [[nodiscard]] std::size_t written() const { return m_next; }

private:
    const MergeMap& m_map;
    std::size_t m_next = 0;
};

/// Goes through the records of a chunk from whoever it comes. The order of the entries is not
/// checked here, as it depends on the law.
class ChunkReader {
public:
    /// An entry, and the bytes of its record; both point into the block.
    struct Item {
        Entry entry;
        std::string_view record;
    };

    /// @return an Error of kind Damaged for what does not begin like a chunk or has a wrong sum
    static Result<ChunkReader> open(Block block);

    /// Precondition: not done().
    /// @return an Error of kind Damaged where no record is; the reader is of no use then
    Result<Item> next();
    [[nodiscard]] bool done() const { return m_left == 0; }
    [[nodiscard]] std::uint64_t left() const { return m_left; }
    [[nodiscard]] const Block& block() const { return m_block; }

private:
    ChunkReader(Block block, std::uint64_t entries);

    Block m_block;
    std::string_view m_rest;
    std::uint64_t m_left; ///< entries
};

} // namespace tasuki::merge
