// SPDX-License-Identifier: GPL-3.0-or-later
#include "stream.h"

#include <algorithm>
#include <cassert>
#include <cstring>
#include <numeric>

namespace tasuki::world {

// ---- reading

void release(StreamHead& head, std::uint64_t stays, std::uint64_t needed)
{
    if (head.needed.load(std::memory_order_relaxed) == 0)
        head.stays.store(stays, std::memory_order_relaxed);
    if (needed > stays)
        head.needed.store(needed, std::memory_order_release);
}

Gap releasedOf(const StreamHead& head)
{
    const std::uint64_t needed = head.needed.load(std::memory_order_acquire);
    return {.from = head.stays.load(std::memory_order_relaxed), .to = needed};
}

std::optional<Gap> gapBehind(const StreamHead& head, std::uint64_t position)
{
    const std::uint64_t skippedTo = head.skippedTo.load(std::memory_order_acquire);
    const Gap skipped{head.skippedFrom.load(std::memory_order_relaxed), skippedTo};
    std::optional<Gap> first;
    for (const Gap& gap : {releasedOf(head), skipped}) {
        if (gap.to > std::max(gap.from, position) && (!first || gap.from < first->from))
            first = gap;
    }
    return first;
}

bool isGone(const StreamHead& head, std::uint64_t position, std::uint64_t bytes)
{
    const std::optional<Gap> gap = gapBehind(head, position);
    return gap && gap->from < position + bytes;
}

/// Calls for each stretch of a part of the stream with chunk and offset; chunk 0: these chunks were used again.
template <class Take>
void StreamReader::walk(StreamPlace& place, std::uint64_t bytes, Take take) const
{
    while (bytes != 0) {
        if (place.chunk == 0 || place.offset == Log::chunkBytes) {
            const std::uint32_t chunk = (place.chunk == 0 ? m_head->first
                                                          : m_log.chunk(place.chunk).next)
                                            .load(std::memory_order_relaxed);
            const std::uint64_t begin = m_log.chunk(chunk).begin.load(std::memory_order_relaxed);
            if (begin > place.position) {
                const std::uint64_t gone = std::min(bytes, begin - place.position);
                take(0U, 0U, static_cast<std::size_t>(gone));
                place.position += gone;
                bytes -= gone;
                continue;
            }
            place.chunk = chunk;
            place.offset = static_cast<std::uint32_t>(place.position - begin);
        }
        const auto stretch = static_cast<std::size_t>(
            std::min<std::uint64_t>(bytes, Log::chunkBytes - place.offset));
        take(place.chunk, place.offset, stretch);
        place.offset += static_cast<std::uint32_t>(stretch);
        place.position += stretch;
        bytes -= stretch;
    }
}

void StreamReader::read(void* to, std::uint64_t bytes)
{
    assert(bytes <= available());
    if (to == nullptr)
        return walk(m_place, bytes, [](std::uint32_t, std::uint32_t, std::size_t) {});
    copy(m_place, to, bytes);
}

void StreamReader::readAt(StreamPlace place, void* to, std::uint64_t bytes) const
{
    copy(place, to, bytes);
}

void StreamReader::copy(StreamPlace& place, void* to, std::uint64_t bytes) const
{
    auto* sink = static_cast<std::byte*>(to);
    walk(place, bytes, [&](std::uint32_t chunk, std::uint32_t offset, std::size_t stretch) {
        assert(chunk != 0);
        if (chunk != 0) {
            if (offset == 0)
                m_log.expect(chunk, false);
            m_log.get(chunk, offset, sink, stretch);
        }
        sink += stretch;
    });
}

bool StreamReader::isSame(const void* with, std::uint64_t bytes)
{
    const auto* expected = static_cast<const std::byte*>(with);
    bool same = true;
    walk(m_place, bytes, [&](std::uint32_t chunk, std::uint32_t offset, std::size_t stretch) {
        same = same
            && (chunk == 0 || std::memcmp(expected, m_log.data(chunk) + offset, stretch) == 0);
        expected += stretch;
    });
    return same;
}

void StreamReader::seek(std::uint64_t position)
{
    // Who comes to a chunk that is being used again leaves the stream, and ends at one that is not needed.
    constexpr int looks = 64;
    for (int look = 0; look < looks; ++look) {
        std::uint32_t chunk = 0;
        std::uint64_t begin = 0;
        for (std::uint32_t next = m_head->first.load(std::memory_order_acquire); next != 0;
             next = m_log.chunk(next).next.load(std::memory_order_acquire)) {
            const std::uint64_t beginOfNext = m_log.chunk(next).begin.load(
                std::memory_order_relaxed);
            if (beginOfNext > position)
                break;
            chunk = next;
            begin = beginOfNext;
        }
        const std::uint64_t offset = chunk == 0 ? 0 : position - begin;
        m_place = {position, chunk,
                   static_cast<std::uint32_t>(std::min<std::uint64_t>(offset, Log::chunkBytes))};
        if (chunk != 0 && offset <= Log::chunkBytes)
            return;
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
    if (m_atEnd)
        return;
    m_reader.seek(m_reader.place().position + m_reader.available());
    m_end = m_reader.place();
    m_atEnd = true;
}

void StreamWriter::goTo(std::uint64_t position)
{
    m_reader.seek(position);
    m_atEnd = false;
}

bool StreamWriter::skipTo(std::uint64_t position)
{
    goToEnd();
    if (position <= m_end.position)
        return true;
    if (m_head->skippedTo.load(std::memory_order_relaxed) == 0)
        m_head->skippedFrom.store(m_end.position, std::memory_order_relaxed);
    m_head->skippedTo.store(position, std::memory_order_release);
    const std::uint64_t begin = position / Log::chunkBytes * Log::chunkBytes;
    if (m_end.chunk == 0
        || m_log.chunk(m_end.chunk).begin.load(std::memory_order_relaxed) != begin) {
        StreamPlace place{begin, m_end.chunk, static_cast<std::uint32_t>(Log::chunkBytes)};
        if (!enterNextChunk(place, 0))
            return false;
        m_end.chunk = place.chunk;
        // A life that was killed may have gone on into others.
        std::uint64_t expected = begin;
        for (std::uint32_t chunk = m_log.chunk(m_end.chunk).next.load(std::memory_order_relaxed);
             chunk != 0; chunk = m_log.chunk(chunk).next.load(std::memory_order_relaxed))
            m_log.chunk(chunk).begin.store(expected += Log::chunkBytes, std::memory_order_relaxed);
    }
    m_end.position = position;
    m_end.offset = static_cast<std::uint32_t>(position - begin);
    publish();
    return true;
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
    const auto [stays, needed] = releasedOf(*m_head);
    std::atomic<std::uint32_t>* link = &m_head->first;
    std::uint32_t chunk = link->load(std::memory_order_relaxed);
    while (chunk != 0 && m_log.chunk(chunk).begin.load(std::memory_order_relaxed) < stays) {
        link = &m_log.chunk(chunk).next;
        chunk = link->load(std::memory_order_relaxed);
    }
    // Who is killed between the two loses a chunk.
    while (chunk != 0
           && m_log.chunk(chunk).begin.load(std::memory_order_relaxed) + Log::chunkBytes < needed) {
        const std::uint32_t next = m_log.chunk(chunk).next.load(std::memory_order_relaxed);
        link->store(next, std::memory_order_relaxed);
        m_log.chunk(chunk).next.store(m_head->spare.load(std::memory_order_relaxed),
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
        if ((place.chunk == 0 || place.offset == Log::chunkBytes) && !enterNextChunk(place, bytes))
            return false;
        const auto stretch = static_cast<std::size_t>(
            std::min<std::uint64_t>(left, Log::chunkBytes - place.offset));
        m_log.put(place.chunk, place.offset, from, stretch);
        place.offset += static_cast<std::uint32_t>(stretch);
        place.position += stretch;
        from += stretch;
        left -= stretch;
    }
    m_end = place;
    return true;
}

/// @param bytes  that are written at once, there and before
/// @return one that is in no stream; 0: there is none
std::uint32_t StreamWriter::takeChunk(std::uint64_t bytes)
{
    if (m_head->spare.load(std::memory_order_relaxed) == 0)
        reclaim();
    std::uint32_t chunk = m_head->spare.load(std::memory_order_relaxed);
    if (chunk == 0) {
        chunk = m_log.allocate();
        if (chunk != 0)
            m_log.chunk(chunk).throughFile.store(Log::isMuch(bytes) ? 1 : 0,
                                                 std::memory_order_relaxed);
        return chunk;
    }
    ChunkHead& head = m_log.chunk(chunk);
    m_head->spare.store(head.next.load(std::memory_order_relaxed), std::memory_order_relaxed);
    head.next.store(0, std::memory_order_relaxed);
    head.throughFile.store(0, std::memory_order_relaxed); // its pages are there
    return chunk;
}

/// A life before may have entered it, and have been killed before it published anything there.
/// @param bytes  that are written at once, there and before
bool StreamWriter::enterNextChunk(StreamPlace& place, std::uint64_t bytes)
{
    std::atomic<std::uint32_t>& link = place.chunk == 0 ? m_head->first
                                                        : m_log.chunk(place.chunk).next;
    std::uint32_t chunk = link.load(std::memory_order_relaxed);
    if (chunk == 0) {
        chunk = takeChunk(bytes);
        if (chunk == 0)
            return false;
        m_log.chunk(chunk).begin.store(place.position, std::memory_order_relaxed);
        link.store(chunk, std::memory_order_release);
        // A stream with more than a few words.
        if (place.chunk != 0)
            m_log.expect(chunk, true);
    }
    m_log.chunk(chunk).begin.store(place.position, std::memory_order_relaxed);
    place.chunk = chunk;
    place.offset = 0;
    return true;
}

} // namespace tasuki::world
