// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "authenticator.h"

#include "domain/result.h"
#include "wire/framing.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace tasuki::control {

/// Largest message over a connection, in bytes.
inline constexpr std::size_t messageBytes = link::frameLimit - tagBytes;

/// One direction of a connection, sending: content becomes a frame with a tag over its place in the
/// stream and its bytes. The place itself does not travel. The key is of this connection and
/// direction alone, so nothing can be put in, left out, repeated or turned back.
class FrameSealer {
public:
    explicit FrameSealer(const RunKey& key) : m_authenticator(key) {}

    /// Precondition: at most messageBytes.
    std::string seal(std::string_view content);

private:
    Authenticator m_authenticator;
    std::uint64_t m_number = 0;
};

/// The same, receiving.
class FrameOpener {
public:
    explicit FrameOpener(const RunKey& key) : m_authenticator(key) {}

    /// @param payload  of a frame
    /// @return the content, within the payload; an Error of kind Protocol ends the stream
    Result<std::string_view> open(std::string_view payload);

private:
    Authenticator m_authenticator;
    std::uint64_t m_number = 0;
};

} // namespace tasuki::control
