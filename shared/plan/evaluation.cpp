// SPDX-License-Identifier: GPL-3.0-or-later
#include "evaluation.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <random>
#include <span>

namespace tasuki::plan {

namespace {

constexpr std::size_t bootstrapDraws = 2000;
constexpr double lowQuantile = 0.025;
constexpr double highQuantile = 0.975;

/// An allocation with both of its runtimes.
struct Both {
    double predictedUs = 0.0;
    const Measurement* measured = nullptr;
};

std::vector<Both> bothOf(const std::vector<Ranked>& predicted,
                         const std::vector<Measurement>& measurements)
{
    std::map<Allocation, const Measurement*> measured;
    for (const Measurement& measurement : measurements)
        measured.emplace(measurement.allocation, &measurement);
    std::vector<Both> both;
    for (const Ranked& ranked : predicted) {
        const auto place = measured.find(ranked.allocation);
        if (place != measured.end())
            both.push_back({.predictedUs = ranked.timeUs, .measured = place->second});
    }
    return both;
}

std::vector<double> mediansOf(const std::vector<Both>& both)
{
    std::vector<double> medians;
    for (const Both& each : both)
        medians.push_back(each.measured->medianSeconds());
    return medians;
}

double errorOf(std::span<const double> seconds, std::size_t predictedBest)
{
    const double best = *std::ranges::min_element(seconds);
    return std::abs(seconds[predictedBest] - best) / best;
}

/// Medians of runs that are drawn with replacement from those of each allocation.
std::vector<double> drawnAgain(const std::vector<Both>& both, std::mt19937_64& random)
{
    std::vector<double> medians;
    for (const Both& each : both) {
        const std::vector<double>& runs = each.measured->seconds;
        Measurement drawn;
        for (std::size_t run = 0; run < runs.size(); ++run)
            drawn.seconds.push_back(runs[random() % runs.size()]);
        medians.push_back(drawn.medianSeconds());
    }
    return medians;
}

double quantile(const std::vector<double>& sorted, double share)
{
    const double place = share * static_cast<double>(sorted.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const std::size_t above = std::min(below + 1, sorted.size() - 1);
    const double part = place - static_cast<double>(below);
    return sorted[below] * (1.0 - part) + sorted[above] * part;
}

/// Places in the order of the values, from 1; equal values share the mean of their places.
std::vector<double> placesOf(const std::vector<double>& values)
{
    std::vector<std::size_t> order(values.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {}, [&values](std::size_t index) { return values[index]; });
    std::vector<double> places(values.size());
    for (std::size_t first = 0; first < order.size();) {
        std::size_t end = first + 1;
        while (end < order.size() && values[order[end]] == values[order[first]])
            ++end;
        const double place = static_cast<double>(first + 1 + end) / 2.0;
        for (; first < end; ++first)
            places[order[first]] = place;
    }
    return places;
}

double correlation(const std::vector<double>& first, const std::vector<double>& second)
{
    const auto count = static_cast<double>(first.size());
    const double meanFirst = std::accumulate(first.begin(), first.end(), 0.0) / count;
    const double meanSecond = std::accumulate(second.begin(), second.end(), 0.0) / count;
    double together = 0.0;
    double ofFirst = 0.0;
    double ofSecond = 0.0;
    for (std::size_t index = 0; index < first.size(); ++index) {
        const double one = first[index] - meanFirst;
        const double other = second[index] - meanSecond;
        together += one * other;
        ofFirst += one * one;
        ofSecond += other * other;
    }
    return ofFirst > 0.0 && ofSecond > 0.0 ? together / std::sqrt(ofFirst * ofSecond) : 0.0;
}

} // namespace

Evaluation evaluate(const std::vector<Ranked>& predicted,
                    const std::vector<Measurement>& measurements, std::uint64_t seed)
{
    const std::vector<Both> both = bothOf(predicted, measurements);
    Evaluation evaluation;
    evaluation.allocations = both.size();
    if (both.empty())
        return evaluation;
    const auto predictedBest = static_cast<std::size_t>(
        std::ranges::min_element(both, {}, &Both::predictedUs) - both.begin());
    const std::vector<double> seconds = mediansOf(both);
    const double best = *std::ranges::min_element(seconds);
    const double worst = *std::ranges::max_element(seconds);
    const auto count = static_cast<double>(seconds.size());
    evaluation.spread = (worst - best) / best;
    evaluation.randomPickLoss = std::accumulate(seconds.begin(), seconds.end(), 0.0) / count / best
        - 1.0;
    std::vector<double> predictions;
    for (std::size_t index = 0; index < both.size(); ++index) {
        predictions.push_back(both[index].predictedUs);
        evaluation.meanAbsoluteError += std::abs(both[index].predictedUs / 1e6 - seconds[index])
            / seconds[index] / count;
    }
    evaluation.rankCorrelation = correlation(placesOf(predictions), placesOf(seconds));

    std::mt19937_64 random(seed);
    std::vector<double> errors;
    for (std::size_t draw = 0; draw < bootstrapDraws; ++draw)
        errors.push_back(errorOf(drawnAgain(both, random), predictedBest));
    std::ranges::sort(errors);
    evaluation.errorA = {.value = errorOf(seconds, predictedBest),
                         .low = quantile(errors, lowQuantile),
                         .high = quantile(errors, highQuantile)};
    return evaluation;
}

} // namespace tasuki::plan
