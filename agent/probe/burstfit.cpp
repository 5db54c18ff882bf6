// SPDX-License-Identifier: GPL-3.0-or-later
#include "burstfit.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace tasuki::probe {

namespace {

/// One packet of any network, with its headers.
constexpr double smallestBytes = 100.0;
constexpr std::size_t fewestOnLine = 4;
constexpr double onTheLine = 0.05;

/// Timings scatter in proportion to themselves.
LinkFit fitRelative(std::span<const Timing> timings)
{
    std::vector<double> weights;
    for (const Timing& timing : timings)
        weights.push_back(1 / (timing.us * timing.us));
    return fitLine(timings, weights);
}

bool holds(const LinkFit& fit, std::span<const Timing> timings)
{
    return std::ranges::all_of(timings, [&fit](const Timing& timing) {
        return std::abs(timing.us - fit.lineAt(timing.bytes)) <= onTheLine * timing.us;
    });
}

/// @return the line through as many of the largest sizes as are on one
std::optional<LinkFit> lineOfLarge(std::span<const Timing> bySize)
{
    for (std::size_t first = 0; first + fewestOnLine <= bySize.size(); ++first) {
        if (bySize[first].bytes <= smallestBytes)
            continue;
        const auto large = bySize.subspan(first);
        const LinkFit fit = fitRelative(large);
        if (holds(fit, large))
            return fit;
    }
    return std::nullopt;
}

} // namespace

double BurstLaw::timeUs(double bytes) const
{
    const double a1 = a1UsPerByte.value;
    return std::max({a0Us.value, a1 * bytes / 2, a0Us.value + a1 * (bytes - burstBytes)});
}

std::optional<BurstLaw> fitBurst(std::span<const Timing> timings)
{
    std::vector<Timing> bySize(timings.begin(), timings.end());
    std::ranges::sort(bySize, {}, &Timing::bytes);
    std::vector<double> small;
    for (const Timing& timing : bySize) {
        if (timing.bytes <= smallestBytes)
            small.push_back(timing.us);
    }
    const std::optional<LinkFit> large = lineOfLarge(bySize);
    if (small.empty() || !large || large->a1UsPerByte.value <= 0.0)
        return std::nullopt;
    const Figure a0 = medianFigure(std::move(small));
    const double burst = (a0.value - large->a0Us.value) / large->a1UsPerByte.value;
    if (burst <= 0.0)
        return std::nullopt;
    return BurstLaw{.a0Us = a0, .a1UsPerByte = large->a1UsPerByte, .burstBytes = burst};
}

} // namespace tasuki::probe
