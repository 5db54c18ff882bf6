// SPDX-License-Identifier: GPL-3.0-or-later
#include "frameseal.h"

#include "bytes.h"

#include <cassert>

namespace tasuki::control {

namespace {

std::string placeBytes(std::uint64_t number)
{
    std::string bytes;
    putNumber(bytes, number);
    return bytes;
}

} // namespace

std::string FrameSealer::seal(std::string_view content)
{
    assert(content.size() <= messageBytes);
    const Tag tag = m_authenticator.tag(placeBytes(m_number++), content);
    std::string bytes;
    bytes.reserve(sizeof(std::uint32_t) + content.size() + tag.size());
    putNumber(bytes, static_cast<std::uint32_t>(content.size() + tag.size()));
    bytes += content;
    return bytes.append(tag.begin(), tag.end());
}

Result<std::string_view> FrameOpener::open(std::string_view payload)
{
    const std::size_t length = payload.size() < tagBytes ? 0 : payload.size() - tagBytes;
    const std::string_view content = payload.substr(0, length);
    if (!m_authenticator.matches(payload.substr(length), placeBytes(m_number++), content))
        return Error{.kind = ErrorKind::Protocol,
                     .message = "sent a frame that is damaged or not its own"};
    return content;
}

} // namespace tasuki::control
