// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>

namespace tasuki::world {

/// What is known of the memory of one log. Lies in a segment, zeroed at first.
struct alignas(64) LogHead {
    std::atomic<std::uint32_t> chunks;   ///< that were handed out
    std::atomic<std::uint32_t> closed;   ///< 1: nothing more is written into its streams
    std::atomic<std::uint32_t> prepared; ///< pieces whose memory has come, see prepare()
};

/// What is known of one chunk. Lies in a segment, zeroed at first.
struct ChunkHead {
    std::atomic<std::uint32_t> next; ///< the chunk behind it in its stream; 0: none
    /// 1: what stands in it comes and goes through the file. Pages that a process never touches itself need not be mapped there, nor
    /// be cleared before they are filled, which is dearer than the copy.
    std::atomic<std::uint32_t> throughFile;
    /// Where in its stream it begins, whole chunks behind the begin. Known before anybody comes to it.
    std::atomic<std::uint64_t> begin;
};

/// Memory of one writer in chunks, from which its streams are made. It outlives the writer: the next life of it finds what the
/// last one has written.
class Log {
public:
    static constexpr std::size_t chunkBytes = std::size_t{64} * 1024;

    /// The file whose memory it is.
    struct File {
        int descriptor = -1;
        std::uint64_t node =
            0; ///< its number: the program may have closed the descriptor and opened another file
        std::uint64_t offset = 0; ///< of the log in it
    };

    /// @param chunks  one for each chunk of the memory
    Log(LogHead& head, ChunkHead* chunks, std::byte* memory, std::size_t bytes, File file)
        : m_head(&head),
          m_heads(chunks),
          m_memory(memory),
          m_chunks(bytes / chunkBytes),
          m_file(file)
    {}

    /// A chunk that is in no stream. Several may ask at once. @return 0: there is none any more
    [[nodiscard]] std::uint32_t allocate() const;
    [[nodiscard]] ChunkHead& chunk(std::uint32_t chunk) const { return m_heads[chunk - 1]; }
    [[nodiscard]] std::byte* data(std::uint32_t chunk) const
    {
        return m_memory + (chunk - 1) * chunkBytes;
    }
    /// All of a chunk is about to be written or read here: its pages come at once, which is cheaper than one by one.
    void expect(std::uint32_t chunk, bool write) const;
    /// Has the kernel provide some of the memory that is handed out next, when the caller has
    /// nothing else to do.
    void prepare() const;
    // Copies into a chunk and out of it.
    void put(std::uint32_t chunk, std::uint32_t offset, const std::byte* from,
             std::size_t bytes) const;
    void get(std::uint32_t chunk, std::uint32_t offset, std::byte* to, std::size_t bytes) const;
    /// Whether so much at once is better written through the file.
    static constexpr bool isMuch(std::size_t bytes) { return bytes >= throughFile; }

    [[nodiscard]] bool isClosed() const
    {
        return m_head->closed.load(std::memory_order_acquire) != 0;
    }
    void close() const { m_head->closed.store(1, std::memory_order_release); }

private:
    static constexpr std::size_t throughFile = std::size_t{16} * 1024;
    [[nodiscard]] bool hasFile() const;
    [[nodiscard]] bool goesThroughFile(std::uint32_t chunk, std::size_t bytes) const;
    [[nodiscard]] std::int64_t placeInFile(const std::byte* memory) const
    {
        return static_cast<std::int64_t>(m_file.offset)
            + static_cast<std::int64_t>(memory - m_memory);
    }

    LogHead* m_head;
    ChunkHead* m_heads;
    std::byte* m_memory;
    std::size_t m_chunks;
    File m_file;
};

} // namespace tasuki::world
