// SPDX-License-Identifier: GPL-3.0-or-later
#include "dialect.h"

#include <array>

namespace tasuki::trace {

namespace {

/// Logs are merged by time: only the clocks' errors go back.
constexpr std::int64_t priceOfGoingBack = 16;

std::int64_t stepCost(std::int64_t from, std::int64_t to)
{
    return to >= from ? to - from : (from - to) * priceOfGoingBack;
}

std::int64_t readingOf(const TimeChoice& line, bool shifted)
{
    return shifted ? line.shiftedUs : line.plainUs;
}

/// The cheapest way through all lines from one sure time to the next.
std::vector<bool> cheapestWay(std::optional<std::int64_t> before, std::span<const TimeChoice> lines,
                              std::int64_t after)
{
    std::array<std::int64_t, 2> cost{};
    if (before)
        cost = {stepCost(*before, lines[0].plainUs), stepCost(*before, lines[0].shiftedUs)};
    std::vector<std::array<bool, 2>> cameFrom(lines.size());
    for (std::size_t i = 1; i < lines.size(); ++i) {
        std::array<std::int64_t, 2> next{};
        for (const bool to : {false, true}) {
            const std::int64_t time = readingOf(lines[i], to);
            const std::int64_t fromPlain = cost[0] + stepCost(lines[i - 1].plainUs, time);
            const std::int64_t fromShifted = cost[1] + stepCost(lines[i - 1].shiftedUs, time);
            cameFrom[i][to ? 1 : 0] = fromShifted < fromPlain;
            next[to ? 1 : 0] = fromShifted < fromPlain ? fromShifted : fromPlain;
        }
        cost = next;
    }
    bool shifted = cost[1] + stepCost(lines.back().shiftedUs, after)
        < cost[0] + stepCost(lines.back().plainUs, after);
    std::vector<bool> chosen(lines.size());
    for (std::size_t i = lines.size(); i-- > 0;) {
        chosen[i] = shifted;
        shifted = cameFrom[i][shifted ? 1 : 0];
    }
    return chosen;
}

/// How well one reading of all lines goes on as time does, from line to line.
struct Going {
    std::int64_t progress = 0; ///< lines that go on, less twice those that go back
    std::int64_t way = 0;      ///< all steps together
};

Going goingOf(std::optional<std::int64_t> before, std::span<const TimeChoice> lines, bool shifted)
{
    Going going;
    for (const TimeChoice& line : lines) {
        const std::int64_t time = readingOf(line, shifted);
        if (before) {
            going.progress += time > *before ? 1 : time < *before ? -2 : 0;
            going.way += time > *before ? time - *before : *before - time;
        }
        before = time;
    }
    return going;
}

} // namespace

std::vector<bool> chooseShifted(std::optional<std::int64_t> before,
                                std::span<const TimeChoice> lines,
                                std::optional<std::int64_t> after)
{
    if (lines.empty())
        return {};
    if (after)
        return cheapestWay(before, lines, *after);
    const Going plain = goingOf(before, lines, false);
    const Going shifted = goingOf(before, lines, true);
    if (shifted.progress != plain.progress)
        return std::vector<bool>(lines.size(), shifted.progress > plain.progress);
    // Near to the line before; where there is none, the reading that gets on: the other one counts.
    const bool allShifted = before ? shifted.way < plain.way : shifted.way > plain.way;
    return std::vector<bool>(lines.size(), allShifted);
}

} // namespace tasuki::trace
