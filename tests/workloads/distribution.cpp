// SPDX-License-Identifier: GPL-3.0-or-later
#include "distribution.h"

#include <algorithm>
#include <cassert>
#include <cstdint>
#include <numeric>

namespace tasuki::workloads {

Distribution Distribution::cyclic(int count, int ranks, int width)
{
    assert(ranks > 0 && width > 0);
    std::vector<int> owners(static_cast<std::size_t>(count));
    for (int index = 0; index < count; ++index)
        owners[static_cast<std::size_t>(index)] = index / width % ranks;
    return Distribution(std::move(owners));
}

Distribution Distribution::blocks(int count, int ranks)
{
    const std::vector<int> equal(static_cast<std::size_t>(ranks), 1);
    return shared(count, equal);
}

Distribution Distribution::shared(int count, std::span<const int> shares)
{
    const auto total = std::accumulate(shares.begin(), shares.end(), std::int64_t{0});
    assert(total > 0);
    std::vector<int> owners;
    owners.reserve(static_cast<std::size_t>(count));
    std::int64_t before = 0;
    for (std::size_t rank = 0; rank < shares.size(); ++rank) {
        before += shares[rank];
        owners.resize(static_cast<std::size_t>(count * before / total), static_cast<int>(rank));
    }
    return Distribution(std::move(owners));
}

int Distribution::ownerOf(int index) const { return m_owners[static_cast<std::size_t>(index)]; }

std::vector<int> Distribution::indicesOf(int rank) const
{
    std::vector<int> indices;
    for (int index = 0; index < count(); ++index) {
        if (ownerOf(index) == rank)
            indices.push_back(index);
    }
    return indices;
}

Distribution::Block Distribution::blockOf(int rank) const
{
    assert(std::is_sorted(m_owners.begin(), m_owners.end()));
    const auto [begin, end] = std::equal_range(m_owners.begin(), m_owners.end(), rank);
    return {.first = static_cast<int>(begin - m_owners.begin()),
            .count = static_cast<int>(end - begin)};
}

} // namespace tasuki::workloads
