// SPDX-License-Identifier: GPL-3.0-or-later
#include "framing.h"

#include <cstdint>

namespace tasuki::link {

namespace {

constexpr std::size_t headerBytes = 4;
constexpr unsigned byteBits = 8;
constexpr std::size_t idleCapacity = 256 * 1024;

std::size_t lengthOf(std::string_view header)
{
    std::uint32_t length = 0;
    for (std::size_t i = headerBytes; i-- > 0;)
        length = (length << byteBits) | static_cast<unsigned char>(header[i]);
    return length;
}

Error misframed(std::string what)
{
    return Error{.kind = ErrorKind::Protocol, .message = std::move(what)};
}

} // namespace

Result<std::string> frame(std::string_view payload)
{
    if (payload.empty())
        return misframed("a message without content");
    if (payload.size() > frameLimit)
        return misframed("a message of " + std::to_string(payload.size()) + " bytes, at most "
                         + std::to_string(frameLimit) + " can be sent");
    std::string bytes;
    bytes.reserve(headerBytes + payload.size());
    for (std::size_t i = 0; i < headerBytes; ++i)
        bytes += static_cast<char>((payload.size() >> (byteBits * i)) & 0xFFU);
    return bytes.append(payload);
}

void FrameDecoder::feed(std::string_view bytes)
{
    m_buffer.erase(0, m_used);
    m_used = 0;
    // One large message must not cost its memory for as long as the connection lasts.
    if (m_buffer.empty() && m_buffer.capacity() > idleCapacity)
        m_buffer.shrink_to_fit();
    m_buffer.append(bytes);
}

Result<std::optional<std::string_view>> FrameDecoder::next()
{
    const std::string_view left = std::string_view(m_buffer).substr(m_used);
    if (left.size() < headerBytes)
        return std::optional<std::string_view>();
    const std::size_t length = lengthOf(left);
    if (length == 0)
        return misframed("a message without content");
    if (length > m_limit)
        return misframed("a message of " + std::to_string(length) + " bytes where at most "
                         + std::to_string(m_limit) + " are expected");
    if (left.size() - headerBytes < length)
        return std::optional<std::string_view>();
    m_used += headerBytes + length;
    return std::optional(left.substr(headerBytes, length));
}

} // namespace tasuki::link
