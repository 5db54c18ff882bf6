// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/framequeue.h"

#include "process/guardianprotocol.h"

#include <sys/socket.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

namespace tasuki::guardian {
namespace {

constexpr std::size_t usualCapacity = 256 * 1024;
/// Small frames are gathered up to this size, so that one call writes them.
constexpr std::size_t chunkSize = 64 * 1024;

Transfer failedTransfer() { return errno == EAGAIN ? Transfer::WouldBlock : Transfer::Closed; }

} // namespace

FrameReader::FrameReader()
    : m_buffer(std::make_unique_for_overwrite<char[]>(usualCapacity)), m_capacity(usualCapacity)
{}

void FrameReader::makeRoom()
{
    const std::size_t held = m_end - m_begin;
    std::size_t wanted = usualCapacity;
    if (held >= headerSize) {
        std::uint32_t size = 0;
        std::memcpy(&size, m_buffer.get() + m_begin, headerSize);
        wanted = std::max(wanted, headerSize + size);
    }
    // A long frame grows the buffer as its bytes arrive, to twice what is held at most.
    wanted = std::max(usualCapacity, std::min(wanted, 2 * held + usualCapacity));
    if (wanted > m_capacity
        || (m_capacity > usualCapacity && held < usualCapacity && wanted == usualCapacity)) {
        auto buffer = std::make_unique_for_overwrite<char[]>(wanted);
        std::memcpy(buffer.get(), m_buffer.get() + m_begin, held);
        m_buffer = std::move(buffer);
        m_capacity = wanted;
    } else if (m_begin > 0) {
        std::memmove(m_buffer.get(), m_buffer.get() + m_begin, held);
    }
    m_begin = 0;
    m_end = held;
}

Transfer FrameReader::receive(int fd)
{
    if (m_begin == m_end && m_capacity == usualCapacity)
        m_begin = m_end = 0;
    else if (m_end == m_capacity || m_capacity > usualCapacity)
        makeRoom();
    ssize_t count = 0;
    do {
        count = ::recv(fd, m_buffer.get() + m_end, m_capacity - m_end, MSG_DONTWAIT);
    } while (count < 0 && errno == EINTR);
    if (count < 0)
        return failedTransfer();
    if (count == 0)
        return Transfer::Closed;
    m_end += static_cast<std::size_t>(count);
    return Transfer::Done;
}

Result<std::optional<std::string_view>> FrameReader::next()
{
    const std::size_t held = m_end - m_begin;
    if (held < headerSize)
        return std::optional<std::string_view>{};
    std::uint32_t size = 0;
    std::memcpy(&size, m_buffer.get() + m_begin, headerSize);
    if (size > maximumBody)
        return Error{ErrorKind::Protocol,
                     "frame of " + std::to_string(size) + " bytes is too long"};
    if (held - headerSize < size)
        return std::optional<std::string_view>{};
    const std::string_view body(m_buffer.get() + m_begin + headerSize, size);
    m_begin += headerSize + size;
    return std::optional(body);
}

void FrameWriter::queue(std::string frame)
{
    if (!m_chunks.empty() && m_chunks.back().size() + frame.size() <= chunkSize)
        m_chunks.back() += frame;
    else
        m_chunks.push_back(std::move(frame));
}

Transfer FrameWriter::flush(int fd)
{
    while (!m_chunks.empty()) {
        const std::string& chunk = m_chunks.front();
        const ssize_t count = ::send(fd, chunk.data() + m_offset, chunk.size() - m_offset,
                                     MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0) {
            if (errno == EINTR)
                continue;
            return failedTransfer();
        }
        m_offset += static_cast<std::size_t>(count);
        if (m_offset == chunk.size()) {
            m_chunks.pop_front();
            m_offset = 0;
        }
    }
    return Transfer::Done;
}

} // namespace tasuki::guardian
