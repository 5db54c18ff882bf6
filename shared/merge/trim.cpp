// SPDX-License-Identifier: GPL-3.0-or-later
#include "trim.h"

#include "number.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

namespace tasuki::merge {

double scoreOf(ScoreRule rule, std::string_view value)
{
    if (rule == ScoreRule::None)
        return 0.0;
    const auto number = parseNumber(value);
    return number ? static_cast<double>(*number) : -std::numeric_limits<double>::infinity();
}

bool scoreIsExact(ScoreRule rule, std::string_view value)
{
    if (rule == ScoreRule::None)
        return true;
    const auto number = parseNumber(value);
    return !number || static_cast<long double>(static_cast<double>(*number)) == *number;
}

std::strong_ordering keepOrder(const Entry& first, const Entry& second)
{
    const auto byScore = std::strong_order(first.score, second.score);
    if (byScore != 0)
        return byScore;
    const auto byAge = first.stamp <=> second.stamp;
    return byAge != 0 ? byAge : second.key <=> first.key;
}

MergeMap trimmed(const MergeMap& map, std::size_t keep)
{
    if (map.size() <= keep)
        return map;
    const auto& slots = map.entries().slots();
    std::vector<std::size_t> indexes(slots.size());
    std::iota(indexes.begin(), indexes.end(), std::size_t{0});
    const auto end = indexes.begin() + static_cast<std::ptrdiff_t>(keep);
    std::nth_element(indexes.begin(), end, indexes.end(),
                     [&slots](std::size_t first, std::size_t second) {
                         return keepOrder(slots[first].view(), slots[second].view()) > 0;
                     });
    std::sort(indexes.begin(), end);
    FlatEntries entries;
    entries.reserve(keep);
    entries.keepBlocksOf(map.entries());
    std::for_each(indexes.begin(), end, [&](std::size_t index) { entries.refer(slots[index]); });
    entries.compactIfWasteful();
    return {map.law(), std::move(entries)};
}

bool trimsInRounds(const Law& law, ScoreRule rule, bool exactScores)
{
    switch (law.kind()) {
    case Law::Kind::Last: return rule == ScoreRule::None;
    case Law::Kind::MaxNumber: return rule == ScoreRule::Number && exactScores;
    case Law::Kind::First:
    case Law::Kind::Min:
    case Law::Kind::Max:
    case Law::Kind::MinNumber:
    case Law::Kind::Sum: return false;
    }
    return false;
}

} // namespace tasuki::merge
