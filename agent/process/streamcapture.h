// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"
#include "domain/command.h"

#include <cstddef>
#include <string>
#include <string_view>

namespace tasuki::guardian {

/// Keeps the beginning and the end of a stream in bounded memory.
class StreamCapture {
public:
    /// @param headLimit  bytes kept of the beginning
    /// @param tailLimit  bytes kept of the end
    StreamCapture(std::size_t headLimit, std::size_t tailLimit)
        : m_headLimit(headLimit), m_tailLimit(tailLimit)
    {}

    void append(std::string_view bytes);
    /// @return what was kept; the capture is used up. Without a gap all of it is in `head`, which
    ///         may then be as long as both limits together.
    CapturedStream take();
    /// @param from   place in the stream, in bytes
    /// @param limit  bytes to return at most
    /// @return what is kept of the stream from there on: begins later when that is not kept any more
    [[nodiscard]] OutputPiece piece(std::uint64_t from, std::size_t limit) const;

private:
    std::size_t m_headLimit;
    std::size_t m_tailLimit;
    std::string m_head;
    std::string m_ring;          ///< the tail, a ring once it is full
    std::size_t m_ringBegin = 0; ///< its oldest byte
    std::uint64_t m_total = 0;
};

} // namespace tasuki::guardian
