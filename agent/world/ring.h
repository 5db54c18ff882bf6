// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tasuki::world {

/// What both ends of a ring share; lies in a segment, zeroed at first. Positions grow for ever.
struct RingHead {
    alignas(64) std::atomic<std::uint64_t> written;
    alignas(64) std::atomic<std::uint64_t> read;
    std::atomic<std::uint32_t>
        writerWaits; ///< 1: it found no room, and sleeps until the reader wakes it
};
static_assert(std::atomic<std::uint64_t>::is_always_lock_free);

/// A stretch of bytes that a ring has or takes: at the end of its memory it goes on at the begin.
struct RingPieces {
    std::byte* first = nullptr;
    std::size_t firstBytes = 0;
    std::byte* second = nullptr;
    std::size_t secondBytes = 0;
};

/// Records from one process to another, in order, through shared memory: one end writes, one reads. A record that a writer has
/// not published is not there, also when the writer is killed.
class Ring {
public:
    /// What stands before each record.
    struct Prefix {
        std::uint32_t bytes = 0; ///< of the record
        std::uint32_t reserved = 0;
    };

    Ring() = default;
    /// @param memory    of the ring, aligned to 8 bytes
    /// @param capacity  in bytes, a power of two
    Ring(RingHead& head, std::byte* memory, std::size_t capacity)
        : m_head(&head), m_memory(memory), m_capacity(capacity)
    {}

    /// The longest record that fits at all.
    [[nodiscard]] std::size_t longest() const { return m_capacity - sizeof(Prefix); }

    // The writer's end.
    /// @return where a record of so many bytes goes; null: there is no room now
    [[nodiscard]] RingPieces reserve(std::size_t bytes);
    /// Shows the reader the record that was reserved last.
    void publish(std::size_t bytes);

    // The reader's end.
    /// @return the next record; null: there is none
    [[nodiscard]] RingPieces front() const;
    /// The record that front() returned is dealt with.
    void pop();
    [[nodiscard]] bool isEmpty() const;
    /// @return whether the writer has found no room since it was asked last; it is to be woken
    [[nodiscard]] bool takeWriterWaits() const;

private:
    [[nodiscard]] RingPieces piecesAt(std::uint64_t position, std::size_t bytes) const;
    static std::size_t rounded(std::size_t bytes) { return (bytes + 7) & ~std::size_t{7}; }

    RingHead* m_head = nullptr;
    std::byte* m_memory = nullptr;
    std::size_t m_capacity = 0;
};

/// Copies into a stretch, from a place on. Precondition: it fits.
void copyInto(const RingPieces& pieces, std::size_t at, const void* from, std::size_t bytes);
/// Copies out of a stretch. Precondition: it has so many.
void copyOutOf(const RingPieces& pieces, std::size_t at, void* to, std::size_t bytes);

} // namespace tasuki::world
