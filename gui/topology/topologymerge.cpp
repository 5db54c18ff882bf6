// SPDX-License-Identifier: GPL-3.0-or-later
#include "topologymerge.h"

#include "topologycells.h"

#include <algorithm>

namespace tasuki {

namespace {

using config::SubclusterSpec;
using config::Topology;

bool sameSubclusters(const Topology& a, const Topology& b)
{
    return std::ranges::equal(a.subclusters, b.subclusters, {}, &SubclusterSpec::name,
                              &SubclusterSpec::name);
}

/// Brings the cells of one table together.
/// @param mine  becomes what stands
template <class Fields, class Table>
void mergeCells(const Fields& fields, std::optional<std::size_t> row, const Table& base,
                Table& mine, const Table& theirs, TopologyMerge& merge)
{
    for (const config::TopologyField field : fields) {
        const QString before = editText(base, field);
        const QString own = editText(mine, field);
        const QString other = editText(theirs, field);
        if (other == before || other == own)
            continue;
        if (own != before) {
            merge.conflicts.push_back({.subcluster = row, .field = field});
            continue;
        }
        setField(mine, field, other);
        merge.taken.push_back({.subcluster = row, .field = field});
    }
}

} // namespace

std::optional<TopologyMerge> mergeTopologies(const Topology& base, const Topology& mine,
                                             const Topology& theirs)
{
    if (!sameSubclusters(base, mine) || !sameSubclusters(base, theirs))
        return std::nullopt;
    TopologyMerge merge{.merged = mine, .taken = {}, .conflicts = {}};
    mergeCells(systemFields, {}, base, merge.merged, theirs, merge);
    for (std::size_t i = 0; i < theirs.subclusters.size(); ++i)
        mergeCells(subclusterFields, i, base.subclusters[i], merge.merged.subclusters[i],
                   theirs.subclusters[i], merge);
    return merge;
}

} // namespace tasuki
