// SPDX-License-Identifier: GPL-3.0-or-later
#include "nearest.h"

#include <array>
#include <vector>

namespace tasuki {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }

} // namespace

std::size_t editDistance(std::string_view a, std::string_view b, std::size_t limit)
{
    const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (difference > limit)
        return limit + 1;

    // Rows of the distance table for the prefix of a that ends two, one and zero bytes back.
    std::array<std::vector<std::size_t>, 3> rows;
    for (auto& row : rows)
        row.resize(b.size() + 1);
    std::vector<std::size_t>* beforeLast = &rows[0];
    std::vector<std::size_t>* last = &rows[1];
    std::vector<std::size_t>* row = &rows[2];
    for (std::size_t j = 0; j <= b.size(); ++j)
        (*last)[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        (*row)[0] = i;
        std::size_t smallest = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const bool same = lower(a[i - 1]) == lower(b[j - 1]);
            std::size_t cost = std::min(
                {(*last)[j] + 1, (*row)[j - 1] + 1, (*last)[j - 1] + (same ? 0U : 1U)});
            if (i > 1 && j > 1 && lower(a[i - 1]) == lower(b[j - 2])
                && lower(a[i - 2]) == lower(b[j - 1]))
                cost = std::min(cost, (*beforeLast)[j - 2] + 1);
            (*row)[j] = cost;
            smallest = std::min(smallest, cost);
        }
        if (smallest > limit + 1)
            return limit + 1;
        std::vector<std::size_t>* free = beforeLast;
        beforeLast = last;
        last = row;
        row = free;
    }
    return std::min((*last)[b.size()], limit + 1);
}

} // namespace tasuki
