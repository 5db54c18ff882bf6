// SPDX-License-Identifier: GPL-3.0-or-later
#include "chunk.h"

#include "chunkformat.h"
#include "digest.h"
#include "mergemap.h"

namespace tasuki::merge {

bool ChunkWriter::done() const { return m_next == m_map.size(); }

std::optional<std::string> ChunkWriter::next(std::uint64_t targetBytes)
{
    if (done())
        return std::nullopt;
    const auto& slots = m_map.entries().slots();
    const std::size_t first = m_next;
    std::uint64_t bytes = 0;
    do {
        bytes += slots[m_next++].bytes;
    } while (m_next < slots.size() && bytes < targetBytes);

    std::string chunk;
    chunk.reserve(format::prefixBytes + bytes + format::envelopeBytes);
    chunk = format::magic;
    format::appendFixed(chunk, 0); // the check sum, below
    format::appendFixed(chunk, m_next - first);
    forEachRun(std::span(slots).subspan(first, m_next - first),
               [&chunk](std::string_view run) { chunk += run; });
    format::storeFixed(chunk.data() + format::magic.size(),
                       checkSum(std::string_view(chunk).substr(format::summedFrom)));
    return chunk;
}

} // namespace tasuki::merge
