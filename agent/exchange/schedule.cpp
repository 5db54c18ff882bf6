// SPDX-License-Identifier: GPL-3.0-or-later
#include "schedule.h"

#include "domain/sizetext.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace tasuki::merge {

namespace {

/// Below this it is not worth keeping earlier maps.
constexpr std::uint64_t smallBytes = std::uint64_t{64} << 10U;

std::size_t roundCount(std::size_t members)
{
    return static_cast<std::size_t>(std::bit_width(members - 1));
}

} // namespace

ScheduleChoice chooseSchedule(std::size_t members, std::uint64_t largestBytes)
{
    assert(members > 0);
    const std::string who = std::to_string(members) + (members == 1 ? " rank" : " ranks");
    if (members == 1)
        return {.schedule = {}, .reason = who + ": there is nobody to merge with"};
    const std::string size = "up to " + sizeText(largestBytes) + " a rank";
    if (std::has_single_bit(members))
        return {.schedule = {.pattern = Pattern::Butterfly},
                .reason = who + ", a power of two, " + size + ": butterfly"};
    const bool sparing = largestBytes > smallBytes;
    return {.schedule = {.pattern = Pattern::Dissemination, .sparing = sparing},
            .reason = who + ", no power of two, " + size + ": dissemination, "
                + (sparing ? "the last round sends only what is missing"
                           : "every round sends everything")};
}

std::vector<Step> stepsOf(const Schedule& schedule, std::size_t members, std::size_t position)
{
    assert(position < members);
    const std::size_t rounds = roundCount(members);
    std::vector<Step> steps;
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::size_t distance = std::size_t{1} << round;
        Step step{.to = position ^ distance, .from = position ^ distance, .map = round};
        if (schedule.pattern == Pattern::Dissemination) {
            step.to = (position + distance) % members;
            step.from = (position + members - distance) % members;
            // The receiver has heard of the 2^round positions up to itself; the map with which
            // round j began tells of the 2^j positions up to this one.
            if (schedule.sparing && round + 1 == rounds)
                step.map = roundCount(members - distance);
        }
        steps.push_back(step);
    }
    return steps;
}

std::string describeRound(const Schedule& schedule, const std::vector<int>& numbers,
                          std::size_t round)
{
    std::string text = "step:" + std::to_string(round);
    for (std::size_t position = 0; position < numbers.size(); ++position) {
        const std::size_t to = stepsOf(schedule, numbers.size(), position)[round].to;
        const bool pairs = schedule.pattern == Pattern::Butterfly;
        if (pairs && to < position)
            continue;
        text += " (" + std::to_string(numbers[position]) + (pairs ? ',' : '>')
            + std::to_string(numbers[to]) + ')';
    }
    return text;
}

} // namespace tasuki::merge
