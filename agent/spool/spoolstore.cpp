// SPDX-License-Identifier: GPL-3.0-or-later
#include "spool/spoolstore.h"

#include "files/namelessfile.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace tasuki {

namespace {

constexpr std::uint64_t blockSize = 256U << 10U;

} // namespace

std::uint64_t SpoolStore::heldBytes() const { return (m_blocks - m_free.size()) * blockSize; }

Result<void> SpoolStore::open()
{
    if (m_file)
        return {};
    m_file = namelessFile(m_directory);
    if (!m_file)
        return systemError("cannot make a file in " + m_directory, errno);
    return {};
}

std::uint32_t SpoolStore::takeBlock()
{
    if (m_free.empty())
        return m_blocks++;
    const std::uint32_t block = m_free.back();
    m_free.pop_back();
    return block;
}

void SpoolStore::freeBlock(std::uint32_t block)
{
    m_free.push_back(block);
    if (m_free.size() == m_blocks) {
        m_free.clear();
        m_blocks = 0;
        static_cast<void>(::ftruncate(m_file.get(), 0));
        return;
    }
    // Others need the room of the disk; where that cannot be done, the block is used again.
    static_cast<void>(::fallocate(m_file.get(), FALLOC_FL_PUNCH_HOLE | FALLOC_FL_KEEP_SIZE,
                                  static_cast<off_t>(block * blockSize), blockSize));
}

SpooledBytes::SpooledBytes(SpooledBytes&& other) noexcept
    : m_store(other.m_store),
      m_begin(std::exchange(other.m_begin, 0)),
      m_end(std::exchange(other.m_end, 0)),
      m_firstBlock(std::exchange(other.m_firstBlock, 0)),
      m_blocks(std::exchange(other.m_blocks, {}))
{}

SpooledBytes& SpooledBytes::operator=(SpooledBytes&& other) noexcept
{
    if (this == &other)
        return *this;
    clear();
    m_store = other.m_store;
    m_begin = std::exchange(other.m_begin, 0);
    m_end = std::exchange(other.m_end, 0);
    m_firstBlock = std::exchange(other.m_firstBlock, 0);
    m_blocks = std::exchange(other.m_blocks, {});
    return *this;
}

SpooledBytes::~SpooledBytes() { clear(); }

void SpooledBytes::clear()
{
    for (const std::uint32_t block : m_blocks)
        m_store->freeBlock(block);
    m_blocks.clear();
}

Result<void> SpooledBytes::append(std::string_view bytes)
{
    if (auto opened = m_store->open(); !opened)
        return opened;
    while (!bytes.empty()) {
        const std::uint64_t inBlock = m_end % blockSize;
        if (m_end / blockSize == m_firstBlock + m_blocks.size())
            m_blocks.push_back(m_store->takeBlock());
        const std::size_t wanted = std::min<std::size_t>(bytes.size(), blockSize - inBlock);
        const ssize_t count = ::pwrite(m_store->m_file.get(), bytes.data(), wanted,
                                       static_cast<off_t>(m_blocks.back() * blockSize + inBlock));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return systemError("cannot write in " + m_store->m_directory,
                               count < 0 ? errno : ENOSPC);
        m_end += static_cast<std::uint64_t>(count);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
    return {};
}

std::string SpooledBytes::read(std::uint64_t from, std::size_t limit) const
{
    std::string bytes(std::min<std::uint64_t>(limit, m_end - std::min(from, m_end)), '\0');
    std::size_t done = 0;
    while (from >= m_begin && done < bytes.size()) {
        const std::uint64_t at = from + done;
        const std::uint64_t block =
            m_blocks[static_cast<std::size_t>(at / blockSize - m_firstBlock)];
        const std::size_t wanted = std::min<std::size_t>(bytes.size() - done,
                                                         blockSize - at % blockSize);
        const ssize_t count = ::pread(m_store->m_file.get(), bytes.data() + done, wanted,
                                      static_cast<off_t>(block * blockSize + at % blockSize));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        done += static_cast<std::size_t>(count);
    }
    bytes.resize(done);
    return bytes;
}

void SpooledBytes::giveUp(std::uint64_t upTo)
{
    m_begin = std::max(m_begin, std::min(upTo, m_end));
    const std::uint64_t whole = m_begin / blockSize; // blocks that nothing is left of
    while (m_firstBlock < whole && !m_blocks.empty()) {
        m_store->freeBlock(m_blocks.front());
        m_blocks.pop_front();
        ++m_firstBlock;
    }
}

} // namespace tasuki
