// SPDX-License-Identifier: GPL-3.0-or-later
#include "flatentries.h"

#include <algorithm>
#include <utility>

namespace tasuki::merge {

namespace {

constexpr std::uint64_t blockBytes = std::uint64_t{1} << 20U;

} // namespace

std::uint64_t FlatEntries::heldBytes() const
{
    std::uint64_t bytes = m_slots.capacity() * sizeof(Slot);
    for (const Block& block : m_blocks)
        bytes += block->capacity();
    return bytes;
}

/// Space at the end of the open block, which must not move once entries point into it.
char* FlatEntries::room(std::uint64_t bytes)
{
    if (!m_open || m_open->capacity() - m_open->size() < bytes) {
        m_open = std::make_shared<std::string>();
        m_open->reserve(std::max(bytes, blockBytes));
        m_blocks.push_back(m_open);
    }
    const std::size_t start = m_open->size();
    m_open->resize(start + bytes);
    return m_open->data() + start;
}

void FlatEntries::copy(const Entry& entry, std::uint64_t epoch)
{
    char* const bytes = room(entry.key.size() + entry.value.size());
    std::ranges::copy(entry.key, bytes);
    std::ranges::copy(entry.value, bytes + entry.key.size());
    refer(Entry{.key = {bytes, entry.key.size()},
                .value = {bytes + entry.key.size(), entry.value.size()},
                .stamp = entry.stamp,
                .score = entry.score},
          epoch);
}

void FlatEntries::refer(const Entry& entry, std::uint64_t epoch)
{
    refer(Slot{.bytes = entry.key.data(),
               .keyBytes = entry.key.size(),
               .valueBytes = entry.value.size(),
               .time = entry.stamp.time,
               .score = entry.score,
               .epoch = epoch,
               .origin = entry.stamp.origin});
}

void FlatEntries::refer(const Slot& slot)
{
    m_slots.push_back(slot);
    m_liveBytes += slot.keyBytes + slot.valueBytes;
}

void FlatEntries::keep(Block block) { m_blocks.push_back(std::move(block)); }

void FlatEntries::keepBlocksOf(const FlatEntries& other)
{
    m_blocks.insert(m_blocks.end(), other.m_blocks.begin(), other.m_blocks.end());
}

void FlatEntries::compactIfWasteful()
{
    const std::uint64_t held = heldBytes() - m_slots.capacity() * sizeof(Slot);
    if (held <= 2 * m_liveBytes + blockBytes)
        return;
    FlatEntries compact;
    compact.reserve(m_slots.size());
    for (const Slot& slot : m_slots)
        compact.copy(slot.view(), slot.epoch);
    *this = std::move(compact);
}

} // namespace tasuki::merge
