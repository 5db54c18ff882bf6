// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventbuffer.h"

#include <algorithm>
#include <utility>

namespace tasuki::tracer {

EventBuffer::EventBuffer(std::size_t maxChunks, std::string spillDirectory)
    : m_maxChunks(std::max<std::size_t>(maxChunks, 2)), m_spill(std::move(spillDirectory))
{}

bool EventBuffer::makeRoom()
{
    const std::uint64_t before = m_spill.size();
    startChunk();
    return m_spill.size() != before;
}

void EventBuffer::stop()
{
    if (!m_chunks.empty())
        m_chunks.back().used = static_cast<std::size_t>(m_next - m_chunks.back().records.get());
    m_stopped = true;
    m_next = nullptr;
    m_end = nullptr;
}

std::uint64_t EventBuffer::size() const
{
    std::uint64_t records = m_spill.size();
    for (const Chunk& chunk : m_chunks)
        records += chunk.used;
    if (!m_stopped && !m_chunks.empty())
        records += static_cast<std::uint64_t>(m_next - m_chunks.back().records.get());
    return records;
}

std::optional<Error> EventBuffer::takeFailure() { return std::exchange(m_failure, std::nullopt); }

/// @return whether there is room; if not, recording has stopped
bool EventBuffer::startChunk()
{
    if (m_stopped)
        return false;
    if (!m_chunks.empty())
        m_chunks.back().used = static_cast<std::size_t>(m_next - m_chunks.back().records.get());
    Chunk chunk;
    if (m_chunks.size() < m_maxChunks) {
        chunk.records.reset(static_cast<Record*>(std::malloc(chunkRecords * sizeof(Record))));
        if (!chunk.records)
            m_maxChunks = std::max<std::size_t>(m_chunks.size(), 1);
    }
    if (!chunk.records && !spillOldest(chunk))
        return false;
    m_next = chunk.records.get();
    m_end = m_next + chunkRecords;
    m_chunks.push_back(std::move(chunk));
    m_chunks.back().used = 0;
    return true;
}

bool EventBuffer::spillOldest(Chunk& reused)
{
    if (m_chunks.empty()) {
        fail({.message = "there is no memory for events"});
        return false;
    }
    const Chunk& oldest = m_chunks.front();
    if (auto written = m_spill.append({oldest.records.get(), oldest.used}); !written) {
        fail(written.error());
        return false;
    }
    reused = std::move(m_chunks.front());
    m_chunks.pop_front();
    return true;
}

void EventBuffer::fail(Error error)
{
    m_failure = std::move(error);
    stop();
}

Result<std::size_t> EventBuffer::Reader::read(std::span<Record> into)
{
    if (m_spillPosition < m_buffer.m_spill.size()) {
        auto got = m_buffer.m_spill.read(m_spillPosition, into);
        if (got)
            m_spillPosition += *got;
        return got;
    }
    std::size_t count = 0;
    while (count < into.size() && m_chunk < m_buffer.m_chunks.size()) {
        const Chunk& chunk = m_buffer.m_chunks[m_chunk];
        const bool filling = !m_buffer.m_stopped && m_chunk + 1 == m_buffer.m_chunks.size();
        const std::size_t used = filling
            ? static_cast<std::size_t>(m_buffer.m_next - chunk.records.get())
            : chunk.used;
        const std::size_t taken = std::min(into.size() - count, used - m_position);
        std::copy_n(chunk.records.get() + m_position, taken,
                    into.begin() + static_cast<std::ptrdiff_t>(count));
        count += taken;
        m_position += taken;
        if (m_position == used) {
            ++m_chunk;
            m_position = 0;
        }
    }
    return count;
}

} // namespace tasuki::tracer
