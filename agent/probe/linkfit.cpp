// SPDX-License-Identifier: GPL-3.0-or-later
#include "linkfit.h"

#include "burstfit.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>
#include <vector>

namespace tasuki::probe {

namespace {

/// Sums over timings with their weights.
struct Moments {
    double weight = 0.0;
    double meanX = 0.0;
    double meanY = 0.0;
    double xx = 0.0; ///< about the means
    double xy = 0.0;
    double yy = 0.0;
};

Moments momentsOf(std::span<const Timing> timings, std::span<const double> weights)
{
    Moments sums;
    for (std::size_t i = 0; i < timings.size(); ++i) {
        sums.weight += weights[i];
        sums.meanX += weights[i] * timings[i].bytes;
        sums.meanY += weights[i] * timings[i].us;
    }
    sums.meanX /= sums.weight;
    sums.meanY /= sums.weight;
    for (std::size_t i = 0; i < timings.size(); ++i) {
        const double x = timings[i].bytes - sums.meanX;
        const double y = timings[i].us - sums.meanY;
        sums.xx += weights[i] * x * x;
        sums.xy += weights[i] * x * y;
        sums.yy += weights[i] * y * y;
    }
    return sums;
}

/// @return the weighted sum of squared deviations from the line
double deviationOf(const LinkFit& fit, std::span<const Timing> timings,
                   std::span<const double> weights)
{
    double sum = 0.0;
    for (std::size_t i = 0; i < timings.size(); ++i) {
        const double deviation = timings[i].us - fit.lineAt(timings[i].bytes);
        sum += weights[i] * deviation * deviation;
    }
    return sum;
}

double rSquaredOf(double deviation, double total)
{
    return total > 0.0 ? 1 - deviation / total : 1;
}

/// Weights 1 / T^2 of the line. A line that falls to 0 somewhere would give weights without bound.
std::vector<double> relativeWeights(const LinkFit& fit, std::span<const Timing> timings)
{
    std::vector<double> weights;
    for (const Timing& timing : timings) {
        constexpr double leastShare = 0.1;
        const double time = std::max(fit.lineAt(timing.bytes), timing.us * leastShare);
        weights.push_back(1 / (time * time));
    }
    return weights;
}

/// Fits the parameter that is not 0 alone when the other one came out negative.
void keepNonNegative(LinkFit& fit, std::span<const Timing> timings, std::span<const double> weights)
{
    const Moments sums = momentsOf(timings, weights);
    if (fit.a1UsPerByte.value < 0.0) {
        fit.a1UsPerByte.value = 0.0;
        fit.a0Us.value = sums.meanY;
    } else if (fit.a0Us.value < 0.0) {
        double xy = 0.0;
        double xx = 0.0;
        for (std::size_t i = 0; i < timings.size(); ++i) {
            xy += weights[i] * timings[i].bytes * timings[i].us;
            xx += weights[i] * timings[i].bytes * timings[i].bytes;
        }
        fit.a0Us.value = 0.0;
        fit.a1UsPerByte.value = xy / xx;
    } else {
        return;
    }
    fit.rSquared = rSquaredOf(deviationOf(fit, timings, weights), sums.yy);
}

/// Whether the signs of the deviations, by size, change so rarely that it is no accident (runs test
/// of Wald and Wolfowitz).
bool signsCluster(const std::vector<double>& deviations)
{
    std::size_t above = 0;
    std::size_t runs = 1;
    for (std::size_t i = 0; i < deviations.size(); ++i) {
        above += deviations[i] > 0 ? 1U : 0U;
        runs += i > 0 && (deviations[i] > 0) != (deviations[i - 1] > 0) ? 1U : 0U;
    }
    const auto n = static_cast<double>(deviations.size());
    const double product = 2 * static_cast<double>(above) * (n - static_cast<double>(above));
    const double expected = product / n + 1;
    const double variance = (expected - 1) * (expected - 2) / (n - 1);
    constexpr double improbable = -2.58; // one accident in 200
    return variance > 0.0
        && (static_cast<double>(runs) - expected) / std::sqrt(variance) < improbable;
}

/// @param timeAt  what the fit says of a size
template <class TimeAt>
void judge(LinkFit& fit, std::span<const Timing> timings, TimeAt timeAt)
{
    std::vector<Timing> bySize(timings.begin(), timings.end());
    std::ranges::stable_sort(bySize, {}, &Timing::bytes);
    std::vector<double> deviations;
    for (const Timing& timing : bySize) {
        const double line = timeAt(timing.bytes);
        const double deviation = line > 0.0 ? (timing.us - line) / line : 0.0;
        deviations.push_back(deviation);
        if (std::abs(deviation) > std::abs(fit.worstDeviation)) {
            fit.worstDeviation = deviation;
            fit.worstBytes = timing.bytes;
        }
    }
    constexpr double far = 0.2;
    fit.bent = std::abs(fit.worstDeviation) > far && signsCluster(deviations);
}

/// The law of a link with a burst takes the place of the line, if it is much better.
void tryBurst(LinkFit& fit, std::span<const Timing> timings)
{
    const std::optional<BurstLaw> law = fitBurst(timings);
    if (!law)
        return;
    const auto relative = [](const Timing& timing, double time) {
        const double deviation = (timing.us - time) / timing.us;
        return deviation * deviation;
    };
    double ofLaw = 0.0;
    double ofLine = 0.0;
    std::vector<double> weights;
    for (const Timing& timing : timings) {
        ofLaw += relative(timing, law->timeUs(timing.bytes));
        ofLine += relative(timing, fit.lineAt(timing.bytes));
        weights.push_back(1 / (timing.us * timing.us));
    }
    constexpr double muchBetter = 0.5;
    if (ofLaw > muchBetter * ofLine)
        return;
    fit = {.a0Us = law->a0Us,
           .a1UsPerByte = law->a1UsPerByte,
           .burstBytes = law->burstBytes,
           .rSquared = rSquaredOf(ofLaw, momentsOf(timings, weights).yy)};
    judge(fit, timings, [&law](double bytes) { return law->timeUs(bytes); });
    fit.bent = false; // what is left are packets and their headers
}

} // namespace

LinkFit fitLine(std::span<const Timing> timings, std::span<const double> weights)
{
    assert(timings.size() > 2 && timings.size() == weights.size());
    const Moments sums = momentsOf(timings, weights);
    assert(sums.xx > 0.0);
    LinkFit fit;
    fit.a1UsPerByte.value = sums.xy / sums.xx;
    fit.a0Us.value = sums.meanY - fit.a1UsPerByte.value * sums.meanX;
    const double deviation = deviationOf(fit, timings, weights);
    fit.rSquared = rSquaredOf(deviation, sums.yy);
    const std::size_t degrees = timings.size() - 2;
    const double factor = studentFactor(degrees)
        * std::sqrt(deviation / static_cast<double>(degrees));
    fit.a1UsPerByte.half = factor / std::sqrt(sums.xx);
    fit.a0Us.half = factor * std::sqrt(1 / sums.weight + sums.meanX * sums.meanX / sums.xx);
    return fit;
}

LinkFit fitLink(std::span<const Timing> timings)
{
    std::vector<double> weights;
    for (const Timing& timing : timings)
        weights.push_back(1 / (timing.us * timing.us));
    LinkFit fit = fitLine(timings, weights);
    constexpr int repetitions = 4; // more change nothing that could be measured
    for (int i = 0; i < repetitions; ++i) {
        weights = relativeWeights(fit, timings);
        fit = fitLine(timings, weights);
    }
    keepNonNegative(fit, timings, weights);
    judge(fit, timings, [&fit](double bytes) { return fit.lineAt(bytes); });
    if (fit.bent)
        tryBurst(fit, timings);
    return fit;
}

} // namespace tasuki::probe
