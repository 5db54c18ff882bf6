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

} // namespace

std::optional<TopologyMerge> mergeTopologies(const Topology& base, const Topology& mine,
                                             const Topology& theirs)
{
    if (!sameSubclusters(base, mine) || !sameSubclusters(base, theirs))
        return std::nullopt;
    TopologyMerge merge{.merged = mine, .taken = {}, .conflicts = {}};
    for (const TopologyPlace& place : cellsOf(theirs)) {
        const auto before = editText(base, place);
        const auto own = editText(mine, place);
        const auto other = editText(theirs, place);
        if (other == before || other == own)
            continue;
        if (own != before) {
            merge.conflicts.push_back(place);
            continue;
        }
        setField(merge.merged, place, *other);
        merge.taken.push_back(place);
    }
    return merge;
}

} // namespace tasuki
