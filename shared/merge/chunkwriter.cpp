// SPDX-License-Identifier: GPL-3.0-or-later
#include "chunk.h"

#include "chunkformat.h"
#include "digest.h"
#include "mergemap.h"

#include <array>
#include <bit>

namespace tasuki::merge {

namespace {

void appendHead(std::string& heads, const FlatEntries::Slot& slot)
{
    std::array<char, 4 * format::variableBytes + 1 + format::fixedBytes> head;
    char* end = head.data();
    for (const std::uint64_t number :
         {slot.keyBytes, slot.valueBytes, slot.time, std::uint64_t{slot.origin}})
        end = format::storeVariable(end, number);
    const auto score = std::bit_cast<std::uint64_t>(slot.score);
    *end++ = score == 0 ? '\0' : '\1';
    if (score != 0) {
        format::storeFixed(end, score);
        end += format::fixedBytes;
    }
    heads.append(head.data(), end);
}

} // namespace

bool ChunkWriter::done() const { return m_next == m_map.size(); }

std::optional<std::string> ChunkWriter::next(std::uint64_t targetBytes)
{
    if (done())
        return std::nullopt;
    const auto& slots = m_map.entries().slots();
    const std::size_t first = m_next;
    std::string heads;
    std::uint64_t bytes = 0;
    do {
        const FlatEntries::Slot& slot = slots[m_next++];
        appendHead(heads, slot);
        bytes += slot.keyBytes + slot.valueBytes;
    } while (m_next < slots.size() && bytes < targetBytes);

    std::string chunk;
    chunk.reserve(format::prefixBytes + heads.size() + bytes + format::envelopeBytes);
    chunk = format::magic;
    format::appendFixed(chunk, 0); // the check sum, below
    format::appendFixed(chunk, m_next - first);
    format::appendFixed(chunk, heads.size());
    chunk += heads;
    for (std::size_t index = first; index < m_next; ++index)
        chunk.append(slots[index].bytes, slots[index].keyBytes + slots[index].valueBytes);
    format::storeFixed(chunk.data() + format::magic.size(),
                       checkSum(std::string_view(chunk).substr(format::summedFrom)));
    return chunk;
}

} // namespace tasuki::merge
