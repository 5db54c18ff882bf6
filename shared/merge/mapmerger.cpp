// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapmerger.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

namespace tasuki::merge {

MapMerger::MapMerger(std::shared_ptr<const MergeMap> mine) : m_mine(std::move(mine))
{
    // The other map is often as large. Room that stays empty costs addresses, not memory.
    m_merged.reserve(2 * m_mine->size());
    m_merged.keepBlocksOf(m_mine->entries());
}

Result<void> MapMerger::add(Block bytes)
{
    auto chunk = readChunk(std::move(bytes));
    if (!chunk)
        return chunk.error();
    bool needed = false;
    for (const Entry& theirs : chunk->entries) {
        const std::uint64_t prefix = keyPrefix(theirs.key);
        const bool ordered = !m_last || m_lastPrefix < prefix
            || (m_lastPrefix == prefix && orderInMap(m_mine->law(), *m_last, theirs) < 0);
        if (!ordered)
            return Error{.kind = ErrorKind::Damaged,
                         .message = "damaged part of a map: its entries are not in order"};
        needed = place(theirs, prefix) || needed;
        m_last = theirs;
        m_lastPrefix = prefix;
    }
    m_taken += chunk->entries.size();
    m_lastBlock = chunk->block;
    if (needed)
        m_merged.keep(std::move(chunk->block));
    return {};
}

bool MapMerger::place(const Entry& theirs, std::uint64_t prefix)
{
    const auto& mine = m_mine->entries().slots();
    auto order = std::strong_ordering::greater;
    while (m_next < mine.size()
           && (order = orderInMap(m_mine->law(), mine[m_next], theirs, prefix)) < 0)
        m_merged.refer(mine[m_next++]);
    if (m_next < mine.size() && order == 0)
        return settle(mine[m_next++], theirs);
    m_merged.refer(theirs, prefix, m_mine->epoch());
    m_changed = true;
    return true;
}

bool MapMerger::settle(const FlatEntries::Slot& mine, const Entry& theirs)
{
    std::string combined;
    const Entry first = mine.view();
    switch (m_mine->law().decide(first, theirs, combined)) {
    case Law::Winner::Either:
    case Law::Winner::First: m_merged.refer(mine); return false;
    case Law::Winner::Second:
        m_merged.refer(theirs, m_mine->epoch());
        m_changed = true;
        return true;
    case Law::Winner::Combined: break;
    }
    const Entry both{.key = first.key,
                     .value = combined,
                     .stamp = std::max(first.stamp, theirs.stamp),
                     .score = std::max(first.score, theirs.score)};
    if (both.same(first)) {
        m_merged.refer(mine);
        return false;
    }
    m_merged.copy(both, m_mine->epoch());
    m_changed = true;
    return false;
}

std::shared_ptr<const MergeMap> MapMerger::finish()
{
    if (!m_changed)
        return std::move(m_mine);
    const auto& mine = m_mine->entries().slots();
    while (m_next < mine.size())
        m_merged.refer(mine[m_next++]);
    m_merged.compactIfWasteful();
    return std::make_shared<const MergeMap>(m_mine->law(), std::move(m_merged), m_mine->epoch());
}

MergeMap merged(const MergeMap& first, const MergeMap& second)
{
    assert(first.law().name() == second.law().name());
    constexpr std::uint64_t chunkBytes = std::uint64_t{1} << 20U;
    MapMerger merger(first);
    ChunkWriter writer(second);
    while (auto chunk = writer.next(chunkBytes)) {
        [[maybe_unused]] const auto added = merger.add(
            std::make_shared<const std::string>(std::move(*chunk)));
        assert(added);
    }
    return *merger.finish();
}

} // namespace tasuki::merge
