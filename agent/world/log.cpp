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

/// Calls for each stretch of a part of the stream.
template <class Take>
void StreamReader::walk(StreamPlace& place, std::uint64_t bytes, Take take) const
{
    while (bytes != 0) {
        if (place.chunk == 0) {
            place.chunk = m_head->first.load(std::memory_order_relaxed);
        } else if (place.offset == Log::dataBytes()) {
            place.chunk = m_log.next(place.chunk).load(std::memory_order_relaxed);
            place.offset = 0;
            if (&place == &m_place) // readAt() comes to where this has been
                m_log.expect(place.chunk, false);
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
        std::memcpy(sink, from, stretch);
        sink += stretch;
    });
}

void StreamReader::readAt(StreamPlace place, void* to, std::uint64_t bytes) const
{
    auto* sink = static_cast<std::byte*>(to);
    walk(place, bytes, [&sink](const std::byte* from, std::size_t stretch) {
        std::memcpy(sink, from, stretch);
        sink += stretch;
    });
}

bool StreamReader::isSame(const void* with, std::uint64_t bytes)
{
    const auto* expected = static_cast<const std::byte*>(with);
    bool same = true;
    walk(m_place, bytes, [&](const std::byte* from, std::size_t stretch) {
        same = same && std::memcmp(expected, from, stretch) == 0;
        expected += stretch;
    });
    return same;
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
    m_reader.read(nullptr, m_reader.available());
    m_end = m_reader.place();
    m_atEnd = true;
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
        from += stretch;
        left -= stretch;
    }
    place.position += bytes;
    m_end = place;
    return true;
}

/// A life before may have entered it, and have been killed before it published anything there.
bool StreamWriter::enterNextChunk(StreamPlace& place)
{
    std::atomic<std::uint32_t>& link = place.chunk == 0 ? m_head->first : m_log.next(place.chunk);
    std::uint32_t chunk = link.load(std::memory_order_relaxed);
    if (chunk == 0) {
        chunk = m_log.allocate();
        if (chunk == 0)
            return false;
        link.store(chunk, std::memory_order_relaxed);
        if (place.chunk != 0) // a stream with more than a few words
            m_log.expect(chunk, true);
    }
    place.chunk = chunk;
    place.offset = 0;
    return true;
}

} // namespace tasuki::world
