// SPDX-License-Identifier: GPL-3.0-or-later
#include "mapbuilder.h"

#include "number.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <span>
#include <string>

namespace tasuki::merge {

namespace {

constexpr std::uint64_t smallEntryBytes = 512;

using Slots = std::span<const FlatEntries::Slot>;

/// The total of what one origin has written for one key, as its last word.
void addUp(Slots same, FlatEntries& entries)
{
    Entry sum = same.back().view();
    Total total;
    for (const FlatEntries::Slot& slot : same) {
        const Entry part = slot.view();
        total.add(part.value);
        sum.stamp = std::max(sum.stamp, part.stamp);
        sum.score = std::max(sum.score, part.score);
    }
    const std::string text = total.text();
    sum.value = text;
    entries.copy(sum);
}

/// Entries of one key, and one origin where the law keeps them, become one.
void settle(const Law& law, Slots same, bool gather, FlatEntries& entries)
{
    if (law.keepsOrigins() && same.size() > 1)
        return addUp(same, entries);
    const FlatEntries::Slot* winner = &same.front();
    for (const FlatEntries::Slot& slot : same.subspan(1)) {
        if (law.decide(winner->view(), slot.view()) == Law::Winner::Second)
            winner = &slot;
    }
    if (gather)
        entries.copy(*winner);
    else
        entries.refer(*winner);
}

} // namespace

void MapBuilder::put(const Entry& entry)
{
    assert(!std::isnan(entry.score));
    m_entries.copy(entry);
}

MergeMap MapBuilder::build()
{
    const std::uint64_t bytes = m_entries.liveBytes();
    std::vector<FlatEntries::Slot> slots = m_entries.takeSlots();
    const auto before = [this](const FlatEntries::Slot& first, const FlatEntries::Slot& second) {
        return first.prefix != second.prefix ? first.prefix < second.prefix
                                             : orderInMap(m_law, first.view(), second.view()) < 0;
    };
    FlatEntries entries;
    entries.reserve(slots.size());
    const bool inOrder = std::ranges::is_sorted(slots, before);
    if (!inOrder)
        std::ranges::stable_sort(slots, before);
    // Small entries are copied together in their order: whoever goes through the map then goes
    // through memory from its beginning to its end.
    const bool gather = !inOrder && bytes / slots.size() < smallEntryBytes;
    if (!gather)
        entries.keepBlocksOf(m_entries);
    for (std::size_t index = 0; index < slots.size();) {
        std::size_t end = index + 1;
        while (end < slots.size() && !before(slots[index], slots[end]))
            ++end;
        settle(m_law, Slots(slots).subspan(index, end - index), gather, entries);
        index = end;
    }
    entries.compactIfWasteful();
    return {m_law, std::move(entries)};
}

} // namespace tasuki::merge
