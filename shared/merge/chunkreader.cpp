// SPDX-License-Identifier: GPL-3.0-or-later
#include "chunk.h"

#include "chunkformat.h"
#include "digest.h"
#include "record.h"

#include <cassert>
#include <utility>

namespace tasuki::merge {

namespace {

Error damaged(const char* what)
{
    return {.kind = ErrorKind::Damaged, .message = std::string("damaged part of a map: ") + what};
}

} // namespace

ChunkReader::ChunkReader(Block block, std::uint64_t entries)
    : m_block(std::move(block)),
      m_rest(std::string_view(*m_block).substr(format::prefixBytes)),
      m_left(entries)
{}

Result<ChunkReader> ChunkReader::open(Block block)
{
    const std::string_view bytes = *block;
    if (bytes.size() < format::prefixBytes || !bytes.starts_with(format::magic))
        return damaged("it does not begin like one");
    format::Scanner prefix(bytes.substr(format::magic.size()));
    if (prefix.fixed() != checkSum(bytes.substr(format::summedFrom)))
        return damaged("its check sum is wrong");
    const std::uint64_t count = prefix.fixed().value_or(0);
    if (count == 0 || count > prefix.rest().size() / record::smallestBytes)
        return damaged("it is shorter than it says");
    return ChunkReader(std::move(block), count);
}

Result<ChunkReader::Item> ChunkReader::next()
{
    assert(m_left > 0);
    const char* const begin = m_rest.data();
    const auto entry = record::read(m_rest);
    if (!entry)
        return damaged("an entry goes beyond it");
    --m_left;
    if (m_left == 0 && !m_rest.empty())
        return damaged("it is longer than it says");
    return Item{.entry = *entry,
                .record = {begin, static_cast<std::size_t>(m_rest.data() - begin)}};
}

} // namespace tasuki::merge
