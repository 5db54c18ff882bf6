// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "entry.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki::merge {

/// Bytes that entries point into. Never changes once it is shared.
using Block = std::shared_ptr<const std::string>;

/// The first eight bytes of a key as a number that orders like them; shorter keys as though zeros
/// followed. Keys of different prefixes compare as these do, without a look at their bytes.
std::uint64_t keyPrefix(std::string_view key);

/// The storage of a map: an array of fixed-size slots that point into blocks of bytes.
class FlatEntries {
public:
    /// One entry; its value follows its key in memory.
    struct Slot {
        const char* bytes = nullptr;
        std::uint64_t prefix = 0; ///< keyPrefix()
        std::uint64_t keyBytes = 0;
        std::uint64_t valueBytes = 0;
        std::uint64_t time = 0;
        double score = 0.0;
        std::uint64_t epoch = 0; ///< of the map in which it came or changed
        std::uint32_t origin = 0;

        [[nodiscard]] Entry view() const
        {
            return {.key = {bytes, keyBytes},
                    .value = {bytes + keyBytes, valueBytes},
                    .stamp = {.time = time, .origin = origin},
                    .score = score};
        }
    };

    [[nodiscard]] const std::vector<Slot>& slots() const { return m_slots; }
    /// Bytes of keys and values of all slots.
    [[nodiscard]] std::uint64_t liveBytes() const { return m_liveBytes; }
    /// Bytes of memory that this keeps alive, shared blocks included.
    [[nodiscard]] std::uint64_t heldBytes() const;

    void reserve(std::size_t slots) { m_slots.reserve(slots); }
    /// Gives the slots away; blocks stay.
    [[nodiscard]] std::vector<Slot> takeSlots();
    /// Adds an entry whose bytes are copied.
    void copy(const Entry& entry, std::uint64_t epoch);
    /// Adds an entry whose value follows its key in a block that is, or will be, kept by keep().
    void refer(const Entry& entry, std::uint64_t epoch)
    {
        refer(entry, keyPrefix(entry.key), epoch);
    }
    /// @param prefix  of the key
    void refer(const Entry& entry, std::uint64_t prefix, std::uint64_t epoch)
    {
        refer(Slot{.bytes = entry.key.data(),
                   .prefix = prefix,
                   .keyBytes = entry.key.size(),
                   .valueBytes = entry.value.size(),
                   .time = entry.stamp.time,
                   .score = entry.score,
                   .epoch = epoch,
                   .origin = entry.stamp.origin});
    }
    /// Adds a slot of other entries whose blocks are kept.
    void refer(const Slot& slot)
    {
        m_slots.push_back(slot);
        m_liveBytes += slot.keyBytes + slot.valueBytes;
    }
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

} // namespace tasuki::merge
