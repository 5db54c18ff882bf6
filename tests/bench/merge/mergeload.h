// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace tasuki::bench {

/// How much the maps of the ranks have in common.
enum class Overlap : std::uint8_t { Identical, Half, Disjoint };

const char* overlapName(Overlap overlap);

struct Pair {
    std::string key;
    std::string value;
};

/// What a rank brings, in an order of no meaning. A key has the same value everywhere: the ways are
/// compared by the time they take, and the article's has no law for conflicts.
std::vector<Pair> loadOf(int rank, std::uint64_t entries, Overlap overlap);

/// How many keys all ranks together have.
std::uint64_t keysInAll(int ranks, std::uint64_t entries, Overlap overlap);

/// What one way made of the maps on this rank.
struct Outcome {
    double seconds = 0;
    std::uint64_t sentBytes = 0;
    std::uint64_t entries = 0;
    std::uint64_t checkSum = 0; ///< of all keys and values, in their order
};

} // namespace tasuki::bench
