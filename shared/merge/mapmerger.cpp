// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapmerger.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <utility>

namespace tasuki::merge {

MapMerger::MapMerger(std::shared_ptr<const MergeMap> mine) : m_mine(std::move(mine)) {}

/// From the first difference on there is a new map; before it, mine is as good.
void MapMerger::change()
{
    if (m_changed)
        return;
    m_changed = true;
    const auto& mine = m_mine->entries().slots();
    // The other map is often as large. Room that stays empty costs addresses, not memory.
    m_merged.reserve(2 * mine.size());
    m_merged.keepBlocksOf(m_mine->entries());
    m_merged.refer(std::span(mine).first(m_next));
}

Result<void> MapMerger::add(Block bytes)
{
    auto reader = ChunkReader::open(std::move(bytes));
    if (!reader)
        return reader.error();
    bool needed = false;
    m_taken += reader->left();
    while (!reader->done()) {
        const auto item = reader->next();
        if (!item)
            return item.error();
        const FlatEntries::Slot theirs{.record = item->record.data(),
                                       .bytes = item->record.size(),
                                       .prefix = keyPrefix(item->entry.key)};
        const bool ordered = !m_last || m_lastPrefix < theirs.prefix
            || (m_lastPrefix == theirs.prefix
                && orderInMap(m_mine->law(), *m_last, item->entry) < 0);
        if (!ordered)
            return Error{.kind = ErrorKind::Damaged,
                         .message = "damaged part of a map: its entries are not in order"};
        needed = place(item->entry, theirs) || needed;
        m_last = item->entry;
        m_lastPrefix = theirs.prefix;
    }
    m_lastBlock = reader->block();
    if (needed)
        m_merged.keep(reader->block());
    return {};
}

bool MapMerger::place(const Entry& entry, const FlatEntries::Slot& theirs)
{
    const auto& mine = m_mine->entries().slots();
    auto order = std::strong_ordering::greater;
    while (m_next < mine.size()
           && (order = orderInMap(m_mine->law(), mine[m_next], entry, theirs.prefix)) < 0)
        keepMine();
    if (m_next < mine.size() && order == 0)
        return settle(entry, theirs);
    change();
    m_merged.refer(theirs);
    return true;
}

void MapMerger::keepMine()
{
    if (m_changed)
        m_merged.refer(m_mine->entries().slots()[m_next]);
    ++m_next;
}

bool MapMerger::settle(const Entry& entry, const FlatEntries::Slot& theirs)
{
    const FlatEntries::Slot& mine = m_mine->entries().slots()[m_next];
    if (m_mine->law().decide(mine.view(), entry) != Law::Winner::Second) {
        keepMine();
        return false;
    }
    change();
    ++m_next;
    m_merged.refer(theirs);
    return true;
}

std::shared_ptr<const MergeMap> MapMerger::finish()
{
    if (!m_changed)
        return std::move(m_mine);
    m_merged.refer(std::span(m_mine->entries().slots()).subspan(m_next));
    m_merged.compactIfWasteful();
    return std::make_shared<const MergeMap>(m_mine->law(), std::move(m_merged));
}

MergeMap merged(const MergeMap& first, const MergeMap& second)
{
    assert(first.law().kind() == second.law().kind());
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
