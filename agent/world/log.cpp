// SPDX-License-Identifier: GPL-3.0-or-later
#include "log.h"

#include <algorithm>
#include <cstring>

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki::world {

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

std::atomic<std::uint32_t>& Log::next(std::uint32_t chunk) const
{
    return *reinterpret_cast<std::atomic<std::uint32_t>*>(at(chunk));
}

std::atomic<std::uint64_t>& Log::begin(std::uint32_t chunk) const
{
    constexpr std::size_t place = 8; // behind next()
    return *reinterpret_cast<std::atomic<std::uint64_t>*>(at(chunk) + place);
}

void Log::expect(std::uint32_t chunk, bool write) const
{
#if defined(MADV_POPULATE_READ) && defined(MADV_POPULATE_WRITE)
    // An older kernel refuses: then they come one by one.
    ::madvise(at(chunk), chunkBytes, write ? MADV_POPULATE_WRITE : MADV_POPULATE_READ);
#else
    static_cast<void>(chunk);
    static_cast<void>(write);
#endif
}

bool Log::hasFile() const
{
    struct stat file {};
    return m_file.descriptor >= 0 && ::fstat(m_file.descriptor, &file) == 0
        && file.st_ino == m_file.node;
}

void Log::put(std::uint32_t chunk, std::uint32_t offset, const std::byte* from,
              std::size_t bytes) const
{
    std::byte* const to = data(chunk) + offset;
    ssize_t done = 0;
    if (isMuch(bytes) && hasFile())
        done = std::max<ssize_t>(0, ::pwrite(m_file.descriptor, from, bytes, placeInFile(to)));
    std::memcpy(to + done, from + done, bytes - static_cast<std::size_t>(done));
}

void Log::get(std::uint32_t chunk, std::uint32_t offset, std::byte* to, std::size_t bytes) const
{
    const std::byte* const from = data(chunk) + offset;
    ssize_t done = 0;
    if (isMuch(bytes) && hasFile())
        done = std::max<ssize_t>(0, ::pread(m_file.descriptor, to, bytes, placeInFile(from)));
    std::memcpy(to + done, from + done, bytes - static_cast<std::size_t>(done));
}

} // namespace tasuki::world
