// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace tasuki::probe {

/// Two of the participants, by number; first < second.
struct Pairing {
    std::size_t first = 0;
    std::size_t second = 0;
    bool operator==(const Pairing&) const = default;
};

/// Every pair of participants once, in as few rounds as can be in each of which nobody is in two
/// pairs: count - 1 rounds for an even count, count for an odd one.
std::vector<std::vector<Pairing>> tournament(std::size_t count);

} // namespace tasuki::probe
