// SPDX-License-Identifier: GPL-3.0-or-later
#include "log.h"

#include <algorithm>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki::world {

namespace {

constexpr std::size_t fewest = 1024; ///< bytes for which the way through the file is worth the call

} // namespace

std::uint32_t Log::allocate() const
{
    std::uint32_t handedOut = m_head->chunks.load(std::memory_order_relaxed);
    do {
        if (handedOut >= m_chunks)
            return 0;
    } while (
        !m_head->chunks.compare_exchange_weak(handedOut, handedOut + 1, std::memory_order_relaxed));
    return handedOut + 1;
}

void Log::expect(std::uint32_t chunk, bool write) const
{
#if defined(MADV_POPULATE_READ) && defined(MADV_POPULATE_WRITE)
    if (this->chunk(chunk).throughFile.load(std::memory_order_relaxed) != 0)
        return;
    // An older kernel refuses: then they come one by one.
    ::madvise(data(chunk), chunkBytes, write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
#else
    static_cast<void>(chunk);
    static_cast<void>(write);
#endif
}

void Log::prepare() const
{
    constexpr std::uint32_t ahead = 2; ///< chunks
    constexpr std::size_t stepBytes = std::size_t{16} * 1024;
    constexpr std::uint32_t pieces = chunkBytes / stepBytes;
    const std::uint32_t handedOut = m_head->chunks.load(std::memory_order_relaxed);
    const std::uint32_t prepared = m_head->prepared.load(std::memory_order_relaxed);
    const std::uint32_t next = std::max(prepared, handedOut * pieces);
    const auto wanted = std::min<std::size_t>(handedOut + ahead, m_chunks) * pieces;
    if (next >= wanted || !hasFile())
        return;
    ::fallocate(m_file.descriptor, 0, static_cast<off_t>(m_file.offset + next * stepBytes),
                stepBytes);
    m_head->prepared.store(next + 1, std::memory_order_relaxed);
}

bool Log::hasFile() const
{
    struct stat file {};
    return m_file.descriptor >= 0 && ::fstat(m_file.descriptor, &file) == 0
        && file.st_ino == m_file.node;
}

bool Log::goesThroughFile(std::uint32_t chunk, std::size_t bytes) const
{
    return bytes >= fewest && this->chunk(chunk).throughFile.load(std::memory_order_relaxed) != 0
        && hasFile();
}

void Log::put(std::uint32_t chunk, std::uint32_t offset, const std::byte* from,
              std::size_t bytes) const
{
    std::byte* const to = data(chunk) + offset;
    ssize_t done = 0;
    if (goesThroughFile(chunk, bytes))
        done = std::max<ssize_t>(0, ::pwrite(m_file.descriptor, from, bytes, placeInFile(to)));
    std::memcpy(to + done, from + done, bytes - static_cast<std::size_t>(done));
}

void Log::get(std::uint32_t chunk, std::uint32_t offset, std::byte* to, std::size_t bytes) const
{
    const std::byte* const from = data(chunk) + offset;
    ssize_t done = 0;
    if (goesThroughFile(chunk, bytes))
        done = std::max<ssize_t>(0, ::pread(m_file.descriptor, to, bytes, placeInFile(from)));
    std::memcpy(to + done, from + done, bytes - static_cast<std::size_t>(done));
}

} // namespace tasuki::world
