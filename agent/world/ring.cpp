// SPDX-License-Identifier: GPL-3.0-or-later
#include "ring.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace tasuki::world {

RingPieces Ring::piecesAt(std::uint64_t position, std::size_t bytes) const
{
    const std::size_t begin = position & (m_capacity - 1);
    const std::size_t first = std::min(bytes, m_capacity - begin);
    return {.first = m_memory + begin,
            .firstBytes = first,
            .second = m_memory,
            .secondBytes = bytes - first};
}

RingPieces Ring::reserve(std::size_t bytes)
{
    const std::uint64_t written = m_head->written.load(std::memory_order_relaxed);
    const std::uint64_t read = m_head->read.load(std::memory_order_acquire);
    const std::size_t needed = sizeof(Prefix) + rounded(bytes);
    if (m_capacity - (written - read) < needed) {
        m_head->writerWaits.store(1, std::memory_order_seq_cst);
        // Room may have been made before the reader could see this.
        if (m_capacity - (written - m_head->read.load(std::memory_order_seq_cst)) < needed)
            return {};
    }
    const Prefix prefix{.bytes = static_cast<std::uint32_t>(bytes)};
    copyInto(piecesAt(written, sizeof prefix), 0, &prefix, sizeof prefix);
    return piecesAt(written + sizeof prefix, bytes);
}

void Ring::publish(std::size_t bytes)
{
    const std::uint64_t written = m_head->written.load(std::memory_order_relaxed);
    m_head->written.store(written + sizeof(Prefix) + rounded(bytes), std::memory_order_release);
}

RingPieces Ring::front() const
{
    if (isEmpty())
        return {};
    const std::uint64_t read = m_head->read.load(std::memory_order_relaxed);
    Prefix prefix;
    copyOutOf(piecesAt(read, sizeof prefix), 0, &prefix, sizeof prefix);
    return piecesAt(read + sizeof prefix, prefix.bytes);
}

void Ring::pop()
{
    const std::uint64_t read = m_head->read.load(std::memory_order_relaxed);
    Prefix prefix;
    copyOutOf(piecesAt(read, sizeof prefix), 0, &prefix, sizeof prefix);
    m_head->read.store(read + sizeof prefix + rounded(prefix.bytes), std::memory_order_seq_cst);
}

bool Ring::takeWriterWaits() const
{
    return m_head->writerWaits.load(std::memory_order_seq_cst) != 0
        && m_head->writerWaits.exchange(0, std::memory_order_seq_cst) != 0;
}

bool Ring::isEmpty() const
{
    return m_head->written.load(std::memory_order_acquire)
        == m_head->read.load(std::memory_order_relaxed);
}

void copyInto(const RingPieces& pieces, std::size_t at, const void* from, std::size_t bytes)
{
    assert(at + bytes <= pieces.firstBytes + pieces.secondBytes);
    const auto* source = static_cast<const std::byte*>(from);
    const std::size_t first = at < pieces.firstBytes ? std::min(bytes, pieces.firstBytes - at) : 0;
    if (first != 0)
        std::memcpy(pieces.first + at, source, first);
    if (bytes > first)
        std::memcpy(pieces.second + (at + first - pieces.firstBytes), source + first,
                    bytes - first);
}

void copyOutOf(const RingPieces& pieces, std::size_t at, void* to, std::size_t bytes)
{
    assert(at + bytes <= pieces.firstBytes + pieces.secondBytes);
    auto* sink = static_cast<std::byte*>(to);
    const std::size_t first = at < pieces.firstBytes ? std::min(bytes, pieces.firstBytes - at) : 0;
    if (first != 0)
        std::memcpy(sink, pieces.first + at, first);
    if (bytes > first)
        std::memcpy(sink + first, pieces.second + (at + first - pieces.firstBytes), bytes - first);
}

} // namespace tasuki::world
