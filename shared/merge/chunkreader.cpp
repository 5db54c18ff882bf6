// SPDX-License-Identifier: GPL-3.0-or-later
#include "chunk.h"

#include "chunkformat.h"
#include "digest.h"

#include <bit>
#include <cmath>
#include <limits>

namespace tasuki::merge {

namespace {

Error damaged(const char* what)
{
    return {.kind = ErrorKind::Damaged, .message = std::string("damaged part of a map: ") + what};
}

/// One head; its key and value are the next bytes of the payload.
std::optional<Entry> readEntry(format::Scanner& heads, std::string_view& payload)
{
    const auto keyBytes = heads.variable();
    const auto valueBytes = keyBytes ? heads.variable() : std::nullopt;
    const auto time = valueBytes ? heads.variable() : std::nullopt;
    const auto origin = time ? heads.variable() : std::nullopt;
    const auto scored = origin ? heads.variable() : std::nullopt;
    if (!scored || *scored > 1 || *origin > std::numeric_limits<std::uint32_t>::max())
        return std::nullopt;
    if (*keyBytes > payload.size() || *valueBytes > payload.size() - *keyBytes)
        return std::nullopt;
    Entry entry{.key = payload.substr(0, *keyBytes),
                .value = payload.substr(*keyBytes, *valueBytes),
                .stamp = {.time = *time, .origin = static_cast<std::uint32_t>(*origin)}};
    payload.remove_prefix(*keyBytes + *valueBytes);
    if (*scored == 1) {
        const auto bits = heads.fixed();
        if (!bits)
            return std::nullopt;
        entry.score = std::bit_cast<double>(*bits);
        if (std::isnan(entry.score))
            return std::nullopt;
    }
    return entry;
}

} // namespace

Result<Chunk> readChunk(Block block)
{
    const std::string_view bytes = *block;
    if (bytes.size() < format::prefixBytes || !bytes.starts_with(format::magic))
        return damaged("it does not begin like one");
    format::Scanner prefix(bytes.substr(format::magic.size()));
    if (prefix.fixed() != checkSum(bytes.substr(format::summedFrom)))
        return damaged("its check sum is wrong");
    const std::uint64_t count = prefix.fixed().value_or(0);
    const std::uint64_t headBytes = prefix.fixed().value_or(0);
    std::string_view payload = bytes.substr(format::prefixBytes);
    if (headBytes > payload.size() || count == 0 || count > headBytes / format::smallestHead)
        return damaged("it is shorter than it says");
    format::Scanner heads(payload.substr(0, headBytes));
    payload.remove_prefix(headBytes);

    Chunk chunk{.block = std::move(block), .entries = {}};
    chunk.entries.reserve(count);
    while (chunk.entries.size() < count) {
        const auto entry = readEntry(heads, payload);
        if (!entry)
            return damaged("an entry goes beyond it");
        chunk.entries.push_back(*entry);
    }
    if (heads.left() != 0 || !payload.empty())
        return damaged("it is longer than it says");
    return chunk;
}

} // namespace tasuki::merge
