// SPDX-License-Identifier: GPL-3.0-or-later
#include "flatentries.h"

#include <algorithm>
#include <utility>

namespace tasuki::merge {

namespace {

constexpr std::uint64_t blockBytes = std::uint64_t{1} << 20U;

} // namespace

std::uint64_t keyPrefix(std::string_view key)
{
    std::uint64_t prefix = 0;
    if (key.size() >= sizeof prefix) {
        for (std::size_t byte = 0; byte < sizeof prefix; ++byte)
            prefix = prefix << 8U | static_cast<unsigned char>(key[byte]);
        return prefix;
    }
    for (const char byte : key)
        prefix = prefix << 8U | static_cast<unsigned char>(byte);
    return key.empty() ? 0 : prefix << 8U * (sizeof prefix - key.size());
}

std::uint64_t FlatEntries::heldBytes() const
{
    // Room that was never filled was never touched, and costs no memory.
    std::uint64_t bytes = m_slots.size() * sizeof(Slot);
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

void FlatEntries::copy(const Entry& entry)
{
    const std::uint64_t bytes = record::bytesOf(entry);
    char* const record = room(bytes);
    record::store(record, entry);
    refer({.record = record, .bytes = bytes, .prefix = keyPrefix(entry.key)});
}

void FlatEntries::copy(const Slot& slot)
{
    char* const record = room(slot.bytes);
    std::ranges::copy(slot.span(), record);
    refer({.record = record, .bytes = slot.bytes, .prefix = slot.prefix});
}

void FlatEntries::refer(std::span<const Slot> slots)
{
    m_slots.insert(m_slots.end(), slots.begin(), slots.end());
    for (const Slot& slot : slots)
        m_liveBytes += slot.bytes;
}

std::vector<FlatEntries::Slot> FlatEntries::takeSlots()
{
    m_liveBytes = 0;
    return std::exchange(m_slots, {});
}

void FlatEntries::keep(Block block) { m_blocks.push_back(std::move(block)); }

void FlatEntries::keepBlocksOf(const FlatEntries& other)
{
    m_blocks.insert(m_blocks.end(), other.m_blocks.begin(), other.m_blocks.end());
}

void FlatEntries::compactIfWasteful()
{
    const std::uint64_t held = heldBytes() - m_slots.size() * sizeof(Slot);
    if (held <= 2 * m_liveBytes + blockBytes)
        return;
    FlatEntries compact;
    compact.reserve(m_slots.size());
    for (const Slot& slot : m_slots)
        compact.copy(slot);
    *this = std::move(compact);
}

} // namespace tasuki::merge
