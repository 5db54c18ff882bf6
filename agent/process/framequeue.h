// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki::guardian {

/// How a read or write on a non-blocking socket went.
enum class Transfer { Done, WouldBlock, Closed };

/// Cuts what arrives on a non-blocking socket into frames.
class FrameReader {
public:
    FrameReader();

    /// Reads once what is there. Never blocks.
    /// @return Closed on end of file or a broken connection
    Transfer receive(int fd);
    /// @return the body of the next whole frame, valid until the next call of receive();
    ///         nothing when none is complete; an Error of kind Protocol when it is too long
    Result<std::optional<std::string_view>> next();

private:
    void makeRoom();

    std::unique_ptr<char[]> m_buffer;
    std::size_t m_capacity;
    std::size_t m_begin = 0; ///< first byte not yet handed out
    std::size_t m_end = 0;   ///< behind the last byte received
};

/// Frames that wait to be written to a non-blocking socket.
class FrameWriter {
public:
    /// @param frame  a whole frame, length included
    void queue(std::string frame);
    [[nodiscard]] bool empty() const { return m_chunks.empty(); }
    /// Writes as much as the socket takes. Never blocks.
    /// @return Done when nothing is left
    Transfer flush(int fd);

private:
    std::deque<std::string> m_chunks;
    std::size_t m_offset = 0; ///< bytes of the first chunk that are written
};

} // namespace tasuki::guardian
