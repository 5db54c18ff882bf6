// SPDX-License-Identifier: GPL-3.0-or-later
#include "pingpongplan.h"

#include <algorithm>
#include <cmath>

namespace tasuki::probe {

namespace {

constexpr std::uint64_t smallStep = 25;
constexpr std::uint64_t smallMost = 1000;
constexpr std::uint64_t firstLarge = 2048;
constexpr std::uint64_t fewestLarge = 3; ///< repetitions
constexpr std::uint64_t fewest = 10;
constexpr double budgetSeconds = 45.0;
constexpr double roundSeconds = 0.15; ///< mpirun leaves half a second after an interrupt
constexpr double longestRoundTrip = 1.0;

double secondsOf(const PingPongPlan& plan, const std::vector<std::vector<LinkGuess>>& turns)
{
    double sum = 0.0;
    for (const std::vector<LinkGuess>& turn : turns) {
        double longest = 0.0;
        for (const LinkGuess& guess : turn)
            longest = std::max(longest, plan.secondsFor(guess));
        sum += longest;
    }
    return sum;
}

} // namespace

double LinkGuess::roundTripSeconds(std::uint64_t bytes) const
{
    constexpr double usPerSecond = 1e6;
    return 2 * (a0Us + a1UsPerByte * static_cast<double>(bytes)) / usPerSecond;
}

std::vector<Exchange> PingPongPlan::exchanges(const LinkGuess& guess) const
{
    std::vector<Exchange> all;
    for (std::uint64_t bytes = 0; bytes <= smallMost; bytes += smallStep)
        all.push_back({bytes, repetitions});
    for (std::uint64_t bytes = firstLarge; bytes <= largestBytes; bytes *= 2) {
        if (!largestIsFirm && guess.roundTripSeconds(bytes) > longestRoundTrip)
            break;
        all.push_back(
            {bytes, std::min(repetitions, std::max(fewestLarge, repetitions * smallMost / bytes))});
    }
    return all;
}

std::uint64_t PingPongPlan::roundCount(const LinkGuess& guess) const
{
    const double wanted = std::ceil(secondsFor(guess) / roundSeconds);
    return static_cast<std::uint64_t>(std::clamp(wanted,
                                                 static_cast<double>(std::min(fewest, repetitions)),
                                                 static_cast<double>(repetitions)));
}

std::vector<Exchange> PingPongPlan::round(const LinkGuess& guess, std::uint64_t index,
                                          std::uint64_t count) const
{
    std::vector<Exchange> parts;
    for (const Exchange& exchange : exchanges(guess)) {
        const std::uint64_t part = exchange.repetitions * (index + 1) / count
            - exchange.repetitions * index / count;
        if (part > 0)
            parts.push_back({exchange.bytes, part});
    }
    return parts;
}

double PingPongPlan::secondsFor(const LinkGuess& guess) const
{
    double sum = 0.0;
    for (const Exchange& exchange : exchanges(guess))
        sum += static_cast<double>(exchange.repetitions) * guess.roundTripSeconds(exchange.bytes);
    return sum;
}

PingPongPlan planPingPong(const std::vector<std::vector<LinkGuess>>& turns,
                          const PingPongWishes& wishes)
{
    PingPongPlan plan;
    plan.largestBytes = wishes.largestBytes.value_or(usualLargestBytes);
    plan.largestIsFirm = wishes.largestBytes.has_value();
    plan.repetitions = wishes.repetitions.value_or(usualRepetitions);
    plan.seconds = secondsOf(plan, turns);
    if (wishes.repetitions || plan.seconds <= budgetSeconds)
        return plan;
    // The time grows with the repetitions: the most that fit, by halving.
    std::uint64_t fits = fewest;
    std::uint64_t tooMany = usualRepetitions;
    while (tooMany - fits > 1) {
        plan.repetitions = (fits + tooMany) / 2;
        (secondsOf(plan, turns) <= budgetSeconds ? fits : tooMany) = plan.repetitions;
    }
    plan.repetitions = fits;
    plan.seconds = secondsOf(plan, turns);
    return plan;
}

} // namespace tasuki::probe
