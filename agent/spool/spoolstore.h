// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"

#include "domain/result.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace tasuki {

class SpooledBytes;

/// Room on a local disk for any number of streams, in one file without a name: whatever becomes of
/// this process, nothing is left behind, and many streams need one descriptor. The file is made when
/// the first byte comes. One thread.
class SpoolStore {
public:
    /// @param directory  where the file is made
    explicit SpoolStore(std::string directory) : m_directory(std::move(directory)) {}
    SpoolStore(const SpoolStore&) = delete;
    SpoolStore& operator=(const SpoolStore&) = delete;

    [[nodiscard]] const std::string& directory() const { return m_directory; }
    /// Bytes of the disk that streams hold now.
    [[nodiscard]] std::uint64_t heldBytes() const;

private:
    friend class SpooledBytes;

    Result<void> open();
    std::uint32_t takeBlock();
    void freeBlock(std::uint32_t block);

    std::string m_directory;
    UniqueFd m_file;
    std::uint32_t m_blocks = 0;        ///< of the file
    std::vector<std::uint32_t> m_free; ///< of these
};

/// One stream in a SpoolStore: bytes are added at its end, read anywhere, and given up from its
/// beginning on.
class SpooledBytes {
public:
    /// @param store  outlives the stream
    explicit SpooledBytes(SpoolStore& store) : m_store(&store) {}
    SpooledBytes(SpooledBytes&& other) noexcept;
    SpooledBytes& operator=(SpooledBytes&& other) noexcept;
    ~SpooledBytes();

    /// After an Error, e.g. of a full disk, what could still be written counts in end(); nothing must
    /// be added any more.
    Result<void> append(std::string_view bytes);
    /// Where the stream begins, as bytes before that were given up, and where it ends.
    [[nodiscard]] std::uint64_t begin() const { return m_begin; }
    [[nodiscard]] std::uint64_t end() const { return m_end; }
    /// @param from  from begin() to end()
    /// @return at most `limit` bytes; fewer at the end, or when the disk cannot be read
    [[nodiscard]] std::string read(std::uint64_t from, std::size_t limit) const;
    /// What comes before that place is not needed any more.
    void giveUp(std::uint64_t upTo);

private:
    void clear();

    SpoolStore* m_store;
    std::uint64_t m_begin = 0;
    std::uint64_t m_end = 0;
    std::uint64_t m_firstBlock = 0;     ///< number in the stream of the first in m_blocks
    std::deque<std::uint32_t> m_blocks; ///< of the file
};

} // namespace tasuki
