// SPDX-License-Identifier: GPL-3.0-or-later
#include "mergemap.h"

#include "number.h"

#include <algorithm>

namespace tasuki::merge {

std::strong_ordering orderInMap(const Law& law, const Entry& first, const Entry& second)
{
    const auto byKey = first.key <=> second.key;
    if (byKey != 0 || !law.keepsOrigins())
        return byKey;
    return first.stamp.origin <=> second.stamp.origin;
}

std::optional<Entry> MergeMap::find(std::string_view key) const
{
    const auto& slots = m_entries.slots();
    const auto found = std::ranges::lower_bound(
        slots, key, {}, [](const FlatEntries::Slot& slot) { return slot.view().key; });
    if (found == slots.end() || found->view().key != key)
        return std::nullopt;
    return found->view();
}

Digest MergeMap::digest() const
{
    Digester digester;
    digester.add(std::uint64_t{m_law.name().size()});
    digester.add(m_law.name());
    forEachRun(m_entries.slots(), [&digester](std::string_view run) { digester.add(run); });
    return digester.digest();
}

MergeMap MergeMap::folded() const
{
    if (!m_law.keepsOrigins())
        return *this;
    FlatEntries entries;
    for (std::size_t index = 0; index < size();) {
        Entry sum = entry(index);
        Total total;
        for (; index < size() && entry(index).key == sum.key; ++index) {
            const Entry part = entry(index);
            total.add(part.value);
            sum.stamp = std::max(sum.stamp, part.stamp);
            sum.score = std::max(sum.score, part.score);
        }
        const std::string text = total.text();
        sum.value = text;
        entries.copy(sum);
    }
    return {Law(Law::Kind::Last), std::move(entries)};
}

} // namespace tasuki::merge
