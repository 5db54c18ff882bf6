// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "entry.h"
#include "record.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::merge {

/// Bytes that entries point into. Never changes once it is shared.
using Block = std::shared_ptr<const std::string>;

/// The first eight bytes of a key as a number that orders like them; shorter keys as though zeros
/// followed. Keys of different prefixes compare as these do, without a look at their bytes.
std::uint64_t keyPrefix(std::string_view key);

/// The storage of a map: an array of fixed-size slots that point to records in blocks of bytes.
class FlatEntries {
public:
    struct Slot {
        const char* record = nullptr; ///< of record.h
        std::uint64_t bytes = 0;      ///< of the record
        std::uint64_t prefix = 0;     ///< keyPrefix()

        [[nodiscard]] Entry view() const { return record::view(record); }
        [[nodiscard]] std::string_view span() const { return {record, bytes}; }
    };

    [[nodiscard]] const std::vector<Slot>& slots() const { return m_slots; }
    /// Bytes of the records of all slots.
    [[nodiscard]] std::uint64_t liveBytes() const { return m_liveBytes; }
    /// Bytes of memory that this keeps alive, shared blocks included.
    [[nodiscard]] std::uint64_t heldBytes() const;

    void reserve(std::size_t slots) { m_slots.reserve(slots); }
    /// Gives the slots away; blocks stay.
    [[nodiscard]] std::vector<Slot> takeSlots();
    /// Adds an entry whose bytes are copied.
    void copy(const Entry& entry);
    /// Adds a slot whose record is copied.
    void copy(const Slot& slot);
    /// Adds a slot whose record is in a block that is, or will be, kept.
    void refer(const Slot& slot)
    {
        m_slots.push_back(slot);
        m_liveBytes += slot.bytes;
    }
    /// The same for many.
    void refer(std::span<const Slot> slots);
    void keep(Block block);
    void keepBlocksOf(const FlatEntries& other);
    /// Copies what lives when most of the held bytes are dead.
    void compactIfWasteful();

private:
    char* room(std::uint64_t bytes);

    std::vector<Slot> m_slots;
    std::vector<Block> m_blocks;
    std::shared_ptr<std::string> m_open; ///< the last block of copies; also in m_blocks
    std::uint64_t m_liveBytes = 0;
};

/// Calls a function with the bytes of all records in order. Records that lie behind each other in
/// memory, as they do in a map that came from one source, are given at once.
template <typename Function>
void forEachRun(std::span<const FlatEntries::Slot> slots, Function&& function)
{
    for (std::size_t index = 0; index < slots.size();) {
        const char* const begin = slots[index].record;
        const char* end = begin;
        while (index < slots.size() && slots[index].record == end)
            end += slots[index++].bytes;
        function(std::string_view(begin, static_cast<std::size_t>(end - begin)));
    }
}

} // namespace tasuki::merge
