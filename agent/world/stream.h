// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "log.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>

namespace tasuki::world {

/// What is known of one stream of a log. Lies in a segment, zeroed at first.
struct alignas(64) StreamHead {
    std::atomic<std::uint64_t> written; ///< bytes; what stands behind them is not there
    std::atomic<std::uint32_t> first;   ///< its first chunk; 0: none
    std::atomic<std::uint32_t>
        spare; ///< of the writer: the first of the chunks that it may use again; 0: none
    // Of who reads it from its begin when it goes on: what stands between these is not needed any more.
    std::atomic<std::uint64_t> stays;  ///< so much of the begin is needed always
    std::atomic<std::uint64_t> needed; ///< what stands from here on is needed; 0: all is
    // Of who writes it: what stands between these was written on another host, and is not here. 0: nothing
    std::atomic<std::uint64_t> skippedFrom;
    std::atomic<std::uint64_t> skippedTo;
    std::atomic<std::uint64_t>
        carried; ///< of the writer's agent: so much of it is on the other host
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// What stands in a stream, but is not needed or is not here.
struct Gap {
    std::uint64_t from = 0;
    std::uint64_t to = 0;
};
/// @return what its reader does not need any more; `to` is 0: all is needed
Gap releasedOf(const StreamHead& head);
/// @return the first one that ends behind a position
std::optional<Gap> gapBehind(const StreamHead& head, std::uint64_t position);
/// @return whether some of these bytes are not there
bool isGone(const StreamHead& head, std::uint64_t position, std::uint64_t bytes);

/// A place in a stream.
struct StreamPlace {
    std::uint64_t position = 0; ///< bytes before it
    std::uint32_t chunk = 0;    ///< 0: before the first one
    std::uint32_t offset = 0;   ///< in the chunk
};

/// A reader needs no more of a stream than its begin and what stands from a place on. Once it has said so, the begin does not
/// get longer.
void release(StreamHead& head, std::uint64_t stays, std::uint64_t needed);

/// Reads a stream, from its begin on; any number may read it.
class StreamReader {
public:
    StreamReader(Log log, const StreamHead& head) : m_log(log), m_head(&head) {}

    /// How many bytes stand behind the place.
    [[nodiscard]] std::uint64_t available() const
    {
        return m_head->written.load(std::memory_order_acquire) - m_place.position;
    }
    [[nodiscard]] const StreamPlace& place() const { return m_place; }
    /// Copies, and goes on. Precondition: so many are available, and are needed.
    /// @param to  null: nothing is copied; then it goes on over what is not needed any more, too
    void read(void* to, std::uint64_t bytes);
    /// Goes to a position that is needed, or, for the writer alone, to any. The writer may use chunks again meanwhile.
    void seek(std::uint64_t position);
    /// Copies from a place that was this reader's. Precondition: so many stand there.
    void readAt(StreamPlace place, void* to, std::uint64_t bytes) const;
    /// The same, and compares with bytes, as far as these are there. @return whether they are the same
    bool isSame(const void* with, std::uint64_t bytes);

private:
    void copy(StreamPlace& place, void* to, std::uint64_t bytes) const;
    template <class Take>
    void walk(StreamPlace& place, std::uint64_t bytes, Take take) const;

    Log m_log;
    const StreamHead* m_head;
    StreamPlace m_place;
};

/// Writes a stream. A writer's next life writes it from the begin on once more: what is there already is compared.
class StreamWriter {
public:
    /// A stretch of a record.
    struct Part {
        const void* data = nullptr;
        std::uint64_t bytes = 0;
    };
    enum class Written : std::uint8_t {
        New,
        Repeated, ///< it was there
        Differs,  ///< something else was there
        Full,     ///< there is no room; nothing was written
    };

    StreamWriter(Log log, StreamHead& head) : m_log(log), m_head(&head), m_reader(log, head) {}

    /// A record: its readers see all of it or nothing.
    Written write(std::span<const Part> parts);
    /// What is there counts as written by this one.
    void goToEnd();
    /// What stands between the end and a position behind it was written on another host: goes on there.
    /// @return false: there is no room
    bool skipTo(std::uint64_t position);
    /// What stands behind a position is not there any more: nobody has read it. It counts as written up to there.
    void truncate(std::uint64_t position);
    /// A part of a record, which is there as soon as publish() says so. Precondition: goToEnd() was called.
    /// @return false: there is no room
    bool append(const void* data, std::uint64_t bytes);
    void publish() { m_head->written.store(m_end.position, std::memory_order_release); }
    /// Where the next part goes.
    [[nodiscard]] std::uint64_t end() const { return m_end.position; }
    /// The place where it writes is another one now, as in a life before. Precondition: the end is not before it.
    void goTo(std::uint64_t position);
    [[nodiscard]] std::uint64_t position() const
    {
        return m_atEnd ? m_end.position : m_reader.place().position;
    }
    /// Whether it writes what is there.
    [[nodiscard]] bool repeats() const { return !m_atEnd && m_reader.available() != 0; }

private:
    bool enterNextChunk(StreamPlace& place, std::uint64_t bytes);
    std::uint32_t takeChunk(std::uint64_t bytes);
    void reclaim();

    Log m_log;
    StreamHead* m_head;
    StreamReader m_reader; ///< at the place where is written
    StreamPlace m_end;     ///< of what is published; meaningful when nothing is repeated any more
    bool m_atEnd = false;
};

} // namespace tasuki::world
