// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/framequeue.h"

#include "process/guardianprotocol.h"

#include <sys/socket.h>

#include <algorithm>
#include <array>
#include <cassert>
#include <cerrno>
#include <cstring>
#include <utility>

namespace tasuki::guardian {
namespace {

constexpr std::size_t usualCapacity = 256 * 1024;
/// Small frames are gathered up to this size, so that one call writes them.
constexpr std::size_t chunkSize = 64 * 1024;

using ControlBuffer = std::array<std::byte, CMSG_SPACE(mostDescriptors * sizeof(int))>;

/// A user's descriptors on their way are limited; there is room when some have arrived.
Transfer failedTransfer()
{
    return errno == EAGAIN || errno == ETOOMANYREFS ? Transfer::WouldBlock : Transfer::Closed;
}

/// Has descriptors go with a message. @param control  stays until it is sent
void attach(const std::vector<UniqueFd>& descriptors, msghdr& message, ControlBuffer& control)
{
    const std::size_t size = descriptors.size() * sizeof(int);
    message.msg_control = control.data();
    message.msg_controllen = CMSG_SPACE(size);
    cmsghdr* const header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size);
    std::size_t offset = 0;
    for (const UniqueFd& each : descriptors) {
        const int fd = each.get();
        std::memcpy(CMSG_DATA(header) + offset, &fd, sizeof fd);
        offset += sizeof fd;
    }
}

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
    alignas(cmsghdr) ControlBuffer control{};
    iovec room{m_buffer.get() + m_end, m_capacity - m_end};
    msghdr message{};
    message.msg_iov = &room;
    message.msg_iovlen = 1;
    message.msg_control = control.data();
    message.msg_controllen = control.size();
    ssize_t count = 0;
    do {
        count = ::recvmsg(fd, &message, MSG_DONTWAIT | MSG_CMSG_CLOEXEC);
    } while (count < 0 && errno == EINTR);
    if (count < 0)
        return failedTransfer();
    if (count == 0)
        return Transfer::Closed;
    keepDescriptors(message);
    m_end += static_cast<std::size_t>(count);
    return Transfer::Done;
}

/// The system ends what one call reads behind bytes that came with descriptors: so they are of one frame, and
/// arrive no later than its first byte.
void FrameReader::keepDescriptors(msghdr& message)
{
    const bool cut = (message.msg_flags & MSG_CTRUNC) != 0;
    const cmsghdr* const header = CMSG_FIRSTHDR(&message);
    if (header == nullptr && !cut)
        return;
    std::vector<UniqueFd> taken;
    for (std::size_t offset = 0;
         header != nullptr && CMSG_LEN(offset + sizeof(int)) <= header->cmsg_len;
         offset += sizeof(int)) {
        int fd = -1;
        std::memcpy(&fd, CMSG_DATA(header) + offset, sizeof fd);
        taken.emplace_back(fd);
    }
    if (cut)
        taken.clear();
    m_descriptors.push_back(std::move(taken));
}

std::vector<UniqueFd> FrameReader::takeDescriptors()
{
    std::vector<UniqueFd> taken;
    if (!m_descriptors.empty()) {
        taken = std::move(m_descriptors.front());
        m_descriptors.pop_front();
    }
    return taken;
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

void FrameWriter::queue(std::string frame, std::vector<UniqueFd> descriptors)
{
    assert(descriptors.size() <= mostDescriptors);
    if (!m_chunks.empty() && descriptors.empty()
        && m_chunks.back().bytes.size() + frame.size() <= chunkSize)
        m_chunks.back().bytes += frame;
    else
        m_chunks.push_back({std::move(frame), std::move(descriptors)});
}

Transfer FrameWriter::flush(int fd)
{
    while (!m_chunks.empty()) {
        auto& [bytes, descriptors] = m_chunks.front();
        alignas(cmsghdr) ControlBuffer control{};
        iovec rest{bytes.data() + m_offset, bytes.size() - m_offset};
        msghdr message{};
        message.msg_iov = &rest;
        message.msg_iovlen = 1;
        if (!descriptors.empty())
            attach(descriptors, message, control);
        const ssize_t count = ::sendmsg(fd, &message, MSG_DONTWAIT | MSG_NOSIGNAL);
        if (count < 0) {
            if (errno == EINTR)
                continue;
            return failedTransfer();
        }
        descriptors.clear();
        m_offset += static_cast<std::size_t>(count);
        if (m_offset == bytes.size()) {
            m_chunks.pop_front();
            m_offset = 0;
        }
    }
    return Transfer::Done;
}

} // namespace tasuki::guardian
