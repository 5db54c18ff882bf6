// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki::link {

/// Largest message before both sides have shown that they know the token, in bytes.
inline constexpr std::size_t handshakeFrameLimit = 4 * 1024;
/// Largest message afterwards.
inline constexpr std::size_t frameLimit = 16 * 1024 * 1024;

/// A message as it goes over the socket: its length in 4 bytes, little-endian, then its bytes.
/// @return an Error of kind Protocol when it is empty or larger than frameLimit
Result<std::string> frame(std::string_view payload);

/// Cuts what arrives, in whatever pieces, into messages. Keeps at most one message and what came
/// with the same piece.
class FrameDecoder {
public:
    /// @param limit  largest message that is accepted, in bytes
    explicit FrameDecoder(std::size_t limit = handshakeFrameLimit) : m_limit(limit) {}

    /// Holds for the messages that next() has not returned yet.
    void setLimit(std::size_t limit) { m_limit = limit; }

    /// Takes bytes that arrived. Ends the validity of what next() returned.
    void feed(std::string_view bytes);

    /// @return the next message, valid until feed(); nothing when it has not arrived completely;
    ///         an Error of kind Protocol when it is empty or too large: the stream is lost then, and
    ///         every further call says so
    Result<std::optional<std::string_view>> next();

private:
    std::size_t m_limit;
    std::string m_buffer;
    std::size_t m_used = 0; ///< bytes of m_buffer that have been returned
};

} // namespace tasuki::link
