// SPDX-License-Identifier: GPL-3.0-or-later
#include "log.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>

#include <sys/mman.h>

namespace tasuki::world {

std::uint32_t Log::allocate() const
{
    std::uint32_t handedOut = m_head->chunks.load(std::memory_order_relaxed);
    do {
        if (handedOut >= m_chunks)
            return 0;
    } while (
        !m_head->chunks.compare_exchange_weak(handedOut, handedOut + 1, std::memory_order_relaxed));
    return handedOut + 1;
}

std::atomic<std::uint32_t>& Log::next(std::uint32_t chunk) const
{
    return *reinterpret_cast<std::atomic<std::uint32_t>*>(at(chunk));
}

std::uint64_t& Log::begin(std::uint32_t chunk) const
{
    constexpr std::size_t place = 8; // behind next()
    return *reinterpret_cast<std::uint64_t*>(at(chunk) + place);
}

void Log::expect(std::uint32_t chunk, bool write) const
{
#if defined(MADV_POPULATE_READ) && defined(MADV_POPULATE_WRITE)
    // An older kernel refuses: then they come one by one.
    ::madvise(at(chunk), chunkBytes, write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
#else
    static_cast<void>(chunk);
    static_cast<void>(write);
#endif
}

// ---- reading

void release(StreamHead& head, std::uint64_t stays, std::uint64_t needed)
{
    if (head.needed.load(std::memory_order_relaxed) == 0)
        head.stays.store(stays, std::memory_order_relaxed);
    if (needed > stays)
        head.needed.store(needed, std::memory_order_release);
}

/// Calls for each stretch of a part of the stream; with null for one whose chunks were used again.
template <class Take>
void StreamReader::walk(StreamPlace& place, std::uint64_t bytes, Take take) const
{
    while (bytes != 0) {
        if (place.chunk == 0 || place.offset == Log::dataBytes()) {
            const bool isFirst = place.chunk == 0;
            const std::uint32_t chunk =
                (isFirst ? m_head->first : m_log.next(place.chunk)).load(std::memory_order_relaxed);
            const std::uint64_t begin = m_log.begin(chunk);
            if (begin > place.position) {
                const std::uint64_t gone = std::min(bytes, begin - place.position);
                take(nullptr, static_cast<std::size_t>(gone));
                place.position += gone;
                bytes -= gone;
                continue;
            }
            place.chunk = chunk;
            place.offset = static_cast<std::uint32_t>(place.position - begin);
            if (&place == &m_place && !isFirst) // readAt() comes to where this has been
                m_log.expect(chunk, false);
        }
        const auto stretch = static_cast<std::size_t>(
            std::min<std::uint64_t>(bytes, Log::dataBytes() - place.offset));
        take(m_log.data(place.chunk) + place.offset, stretch);
        place.offset += static_cast<std::uint32_t>(stretch);
        place.position += stretch;
        bytes -= stretch;
    }
}

void StreamReader::read(void* to, std::uint64_t bytes)
{
    assert(bytes <= available());
    auto* sink = static_cast<std::byte*>(to);
    walk(m_place, bytes, [&sink](const std::byte* from, std::size_t stretch) {
        if (sink == nullptr)
            return;
        assert(from != nullptr);
        if (from != nullptr)
            std::memcpy(sink, from, stretch);
        sink += stretch;
    });
}

void StreamReader::readAt(StreamPlace place, void* to, std::uint64_t bytes) const
{
    auto* sink = static_cast<std::byte*>(to);
    walk(place, bytes, [&sink](const std::byte* from, std::size_t stretch) {
        assert(from != nullptr);
        if (from != nullptr)
            std::memcpy(sink, from, stretch);
        sink += stretch;
    });
}

bool StreamReader::isSame(const void* with, std::uint64_t bytes)
{
    const auto* expected = static_cast<const std::byte*>(with);
    bool same = true;
    walk(m_place, bytes, [&](const std::byte* from, std::size_t stretch) {
        same = same && (from == nullptr || std::memcmp(expected, from, stretch) == 0);
        expected += stretch;
    });
    return same;
}

void StreamReader::seek(std::uint64_t position)
{
    if (position < m_place.position)
        rewind();
    while (m_place.position < position) {
        const std::uint64_t left = position - m_place.position;
        const std::uint32_t chunk = (m_place.chunk == 0 ? m_head->first : m_log.next(m_place.chunk))
                                        .load(std::memory_order_relaxed);
        const bool isInside = m_place.chunk != 0 && m_place.offset != Log::dataBytes();
        const std::uint64_t begin = isInside ? 0 : m_log.begin(chunk);
        if (isInside) {
            const auto stretch = static_cast<std::uint32_t>(
                std::min<std::uint64_t>(left, Log::dataBytes() - m_place.offset));
            m_place.offset += stretch;
            m_place.position += stretch;
        } else if (begin > m_place.position) {
            m_place.position += std::min(left, begin - m_place.position);
        } else {
            m_place.chunk = chunk;
            m_place.offset = static_cast<std::uint32_t>(m_place.position - begin);
        }
    }
}

// ---- writing

StreamWriter::Written StreamWriter::write(std::span<const Part> parts)
{
    const std::uint64_t bytes = std::accumulate(
        parts.begin(), parts.end(), std::uint64_t{0},
        [](std::uint64_t sum, const Part& part) { return sum + part.bytes; });
    const std::uint64_t there = m_atEnd ? 0 : m_reader.available();
    if (there == 0) {
        if (!m_atEnd)
            goToEnd();
        const StreamPlace before = m_end;
        for (const Part& part : parts) {
            if (append(part.data, part.bytes))
                continue;
            m_end = before;
            return Written::Full;
        }
        publish();
        return Written::New;
    }
    if (bytes > there)
        return Written::Differs;
    bool same = true;
    for (const Part& part : parts)
        same = m_reader.isSame(part.data, part.bytes) && same;
    return same ? Written::Repeated : Written::Differs;
}

void StreamWriter::goToEnd()
{
    m_reader.seek(m_reader.place().position + m_reader.available());
    m_end = m_reader.place();
    m_atEnd = true;
}

void StreamWriter::goTo(std::uint64_t position)
{
    m_reader.rewind(); // where it stands may be used again
    m_reader.seek(position);
    m_atEnd = false;
}

void StreamWriter::truncate(std::uint64_t position)
{
    m_head->written.store(position, std::memory_order_release);
    goTo(position);
    goToEnd();
}

/// Chunks that no reader needs any more are used again. A reader that has come to the end of one still stands in it.
void StreamWriter::reclaim()
{
    const std::uint64_t needed = m_head->needed.load(std::memory_order_acquire);
    const std::uint64_t stays = m_head->stays.load(std::memory_order_relaxed);
    std::atomic<std::uint32_t>* link = &m_head->first;
    std::uint32_t chunk = link->load(std::memory_order_relaxed);
    while (chunk != 0 && m_log.begin(chunk) < stays) {
        link = &m_log.next(chunk);
        chunk = link->load(std::memory_order_relaxed);
    }
    // Who is killed between the two loses a chunk.
    while (chunk != 0 && m_log.begin(chunk) + Log::dataBytes() < needed) {
        const std::uint32_t next = m_log.next(chunk).load(std::memory_order_relaxed);
        link->store(next, std::memory_order_relaxed);
        m_log.next(chunk).store(m_head->spare.load(std::memory_order_relaxed),
                                std::memory_order_relaxed);
        m_head->spare.store(chunk, std::memory_order_relaxed);
        chunk = next;
    }
}

bool StreamWriter::append(const void* data, std::uint64_t bytes)
{
    const auto* from = static_cast<const std::byte*>(data);
    StreamPlace place = m_end;
    for (std::uint64_t left = bytes; left != 0;) {
        if ((place.chunk == 0 || place.offset == Log::dataBytes()) && !enterNextChunk(place))
            return false;
        const auto stretch = static_cast<std::size_t>(
            std::min<std::uint64_t>(left, Log::dataBytes() - place.offset));
        std::memcpy(m_log.data(place.chunk) + place.offset, from, stretch);
        place.offset += static_cast<std::uint32_t>(stretch);
        place.position += stretch;
        from += stretch;
        left -= stretch;
    }
    m_end = place;
    return true;
}

/// A life before may have entered it, and have been killed before it published anything there.
bool StreamWriter::enterNextChunk(StreamPlace& place)
{
    std::atomic<std::uint32_t>& link = place.chunk == 0 ? m_head->first : m_log.next(place.chunk);
    std::uint32_t chunk = link.load(std::memory_order_relaxed);
    if (chunk == 0) {
        if (m_head->spare.load(std::memory_order_relaxed) == 0)
            reclaim();
        chunk = m_head->spare.load(std::memory_order_relaxed);
        const bool isUsedAgain = chunk != 0;
        if (isUsedAgain) {
            m_head->spare.store(m_log.next(chunk).load(std::memory_order_relaxed),
                                std::memory_order_relaxed);
            m_log.next(chunk).store(0, std::memory_order_relaxed);
        } else if (chunk = m_log.allocate(); chunk == 0) {
            return false;
        }
        m_log.begin(chunk) = place.position;
        link.store(chunk, std::memory_order_relaxed);
        if (place.chunk != 0 && !isUsedAgain) // a stream with more than a few words
            m_log.expect(chunk, true);
    }
    place.chunk = chunk;
    place.offset = 0;
    return true;
}

} // namespace tasuki::world
