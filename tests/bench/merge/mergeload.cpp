// SPDX-License-Identifier: GPL-3.0-or-later
#include "mergeload.h"

#include <array>
#include <cstdio>

namespace tasuki::bench {

namespace {

/// Spreads numbers, so that keys do not come in order.
std::uint64_t mixed(std::uint64_t number)
{
    number = (number ^ (number >> 30U)) * 0xbf58476d1ce4e5b9U;
    number = (number ^ (number >> 27U)) * 0x94d049bb133111ebU;
    return number ^ (number >> 31U);
}

Pair pairOf(std::uint64_t number)
{
    std::array<char, 48> key{};
    std::array<char, 48> value{};
    const auto spread = static_cast<unsigned long long>(mixed(number));
    std::snprintf(key.data(), key.size(), "%016llx", spread);
    std::snprintf(value.data(), value.size(), "%020llu", spread);
    return {key.data(), value.data()};
}

} // namespace

const char* overlapName(Overlap overlap)
{
    switch (overlap) {
    case Overlap::Identical: return "identical";
    case Overlap::Half: return "half";
    case Overlap::Disjoint: break;
    }
    return "disjoint";
}

std::vector<Pair> loadOf(int rank, std::uint64_t entries, Overlap overlap)
{
    // The first ones are everybody's, the others one rank's own.
    const std::uint64_t common = overlap == Overlap::Identical ? entries
        : overlap == Overlap::Half                             ? entries / 2
                                                               : 0;
    const std::uint64_t own = std::uint64_t{1} << 40U;
    std::vector<Pair> load;
    load.reserve(entries);
    for (std::uint64_t i = 0; i < entries; ++i)
        load.push_back(pairOf(i < common ? i : own * static_cast<std::uint64_t>(rank + 1) + i));
    return load;
}

std::uint64_t keysInAll(int ranks, std::uint64_t entries, Overlap overlap)
{
    const auto count = static_cast<std::uint64_t>(ranks);
    switch (overlap) {
    case Overlap::Identical: return entries;
    case Overlap::Half: return entries / 2 + count * (entries - entries / 2);
    case Overlap::Disjoint: break;
    }
    return count * entries;
}

} // namespace tasuki::bench
