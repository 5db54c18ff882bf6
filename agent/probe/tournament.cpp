// SPDX-License-Identifier: GPL-3.0-or-later
#include "tournament.h"

#include <algorithm>

namespace tasuki::probe {

std::vector<std::vector<Pairing>> tournament(std::size_t count)
{
    // All but the last sit in a circle that turns by one seat a round; facing seats pair up, and the
    // seat that faces nobody plays the last one, or pauses when the count is odd.
    const std::size_t even = count + count % 2;
    if (even < 2)
        return {};
    const std::size_t circle = even - 1;
    std::vector<std::vector<Pairing>> rounds(circle);
    for (std::size_t turn = 0; turn < circle; ++turn) {
        const auto add = [&](std::size_t a, std::size_t b) {
            if (std::max(a, b) < count)
                rounds[turn].push_back({std::min(a, b), std::max(a, b)});
        };
        add(turn, circle);
        for (std::size_t distance = 1; distance < even / 2; ++distance)
            add((turn + distance) % circle, (turn + circle - distance) % circle);
    }
    std::erase_if(rounds, [](const std::vector<Pairing>& round) { return round.empty(); });
    return rounds;
}

} // namespace tasuki::probe
