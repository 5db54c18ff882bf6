// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"

#include "domain/result.h"

#include <cstddef>
#include <deque>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

struct msghdr;

namespace tasuki::guardian {

/// So many descriptors can come with a frame.
inline constexpr std::size_t mostDescriptors = 4;

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
    /// To be called once for each frame that came with descriptors, in the order of the frames, when next()
    /// has returned it.
    /// @return those of the frame; none when this process had no room for all of them
    std::vector<UniqueFd> takeDescriptors();

private:
    void makeRoom();
    void keepDescriptors(msghdr& message);

    std::unique_ptr<char[]> m_buffer;
    std::size_t m_capacity;
    std::size_t m_begin = 0;                         ///< first byte not yet handed out
    std::size_t m_end = 0;                           ///< behind the last byte received
    std::deque<std::vector<UniqueFd>> m_descriptors; ///< of each frame that came with some
};

/// Frames that wait to be written to a non-blocking socket.
class FrameWriter {
public:
    /// @param frame        a whole frame, length included
    /// @param descriptors  arrive with it, mostDescriptors at most; are closed here when they are on their way
    void queue(std::string frame, std::vector<UniqueFd> descriptors = {});
    [[nodiscard]] bool empty() const { return m_chunks.empty(); }
    /// Writes as much as the socket takes. Never blocks.
    /// @return Done when nothing is left
    Transfer flush(int fd);

private:
    struct Chunk {
        std::string bytes;
        std::vector<UniqueFd> descriptors; ///< go with the first byte
    };
    std::deque<Chunk> m_chunks;
    std::size_t m_offset = 0; ///< bytes of the first chunk that are written
};

} // namespace tasuki::guardian
