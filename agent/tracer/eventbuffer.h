// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "record.h"
#include "spillfile.h"

#include <cstdint>
#include <cstdlib>
#include <deque>
#include <memory>
#include <optional>
#include <span>
#include <string>

namespace tasuki::tracer {

/// The records of one rank, in the order in which they were appended: in memory up to a limit, the
/// older ones in a file beyond it. Not synchronised.
class EventBuffer {
public:
    static constexpr std::size_t chunkRecords = 32'768; ///< 1 MiB

    /// @param maxChunks       that memory may hold; at least 2
    /// @param spillDirectory  for what does not fit
    EventBuffer(std::size_t maxChunks, std::string spillDirectory);

    /// Without an allocation or a system call as long as there is room in the chunk.
    void append(const Record& record)
    {
        if (m_next == m_end && !startChunk()) {
            ++m_lost;
            return;
        }
        *m_next++ = record;
    }

    /// @return whether append() can take so many records without an allocation or a system call
    [[nodiscard]] bool hasRoom(std::size_t records) const
    {
        return static_cast<std::size_t>(m_end - m_next) >= records;
    }
    /// Starts a new chunk, for which an old one may go to the file.
    /// @return whether one did
    bool makeRoom();

    /// From now on every record is lost.
    void stop();

    [[nodiscard]] std::uint64_t size() const;
    /// Records that are in the file.
    [[nodiscard]] std::uint64_t spilled() const { return m_spill.size(); }
    /// Records that were not kept, after a failure or stop().
    [[nodiscard]] std::uint64_t lost() const { return m_lost; }
    /// @return why records are lost, once
    [[nodiscard]] std::optional<Error> takeFailure();

    /// Gives all records in order. The buffer must not change meanwhile.
    class Reader {
    public:
        explicit Reader(const EventBuffer& buffer) : m_buffer(buffer) {}
        /// @return how many records were read; 0 after the last
        Result<std::size_t> read(std::span<Record> into);

    private:
        const EventBuffer& m_buffer;
        std::uint64_t m_spillPosition = 0;
        std::size_t m_chunk = 0;
        std::size_t m_position = 0; ///< in the chunk
    };

private:
    struct Free {
        void operator()(Record* records) const { std::free(records); }
    };
    /// Not initialised, so that memory is touched only when it is used.
    struct Chunk {
        std::unique_ptr<Record[], Free> records;
        std::size_t used = 0;
    };

    bool startChunk();
    bool spillOldest(Chunk& reused);
    void fail(Error error);

    std::size_t m_maxChunks;
    SpillFile m_spill;
    std::deque<Chunk> m_chunks; ///< the last one is being filled, up to m_next
    Record* m_next = nullptr;
    Record* m_end = nullptr;
    bool m_stopped = false;
    std::uint64_t m_lost = 0;
    std::optional<Error> m_failure;
};

} // namespace tasuki::tracer
