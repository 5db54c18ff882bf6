// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "statistics.h"

#include <cstdint>
#include <span>

namespace tasuki::probe {

/// What messages of one size take, one way.
struct Timing {
    double bytes = 0.0;
    double us = 0.0; ///< > 0
};

/// T = a0 + a1 N through timings, or the law of a link with a burst, and how well it holds.
struct LinkFit {
    Figure a0Us;
    Figure a1UsPerByte;
    double burstBytes = 0.0; ///< 0: a line
    double rSquared = 1.0;
    /// The timing that is farthest from the line: (measured - line) / line.
    double worstDeviation = 0.0;
    double worstBytes = 0.0;
    /// Neighbouring sizes deviate to the same side, and far: time is not linear in size.
    bool bent = false;

    /// What the line says of a size.
    [[nodiscard]] double lineAt(double bytes) const
    {
        return a0Us.value + a1UsPerByte.value * bytes;
    }
};

/// Between two nodes, by their indexes; a = b: inside of one.
struct FittedLink {
    std::size_t a = 0;
    std::size_t b = 0;
    LinkFit fit;
};

/// Least squares with weights.
/// @param weights  one a timing: the reciprocal of its variance, but for a common factor
/// Precondition: at least three timings, of at least two sizes.
LinkFit fitLine(std::span<const Timing> timings, std::span<const double> weights);

/// Least squares of the relative deviations. Timings scatter in proportion to themselves, so their
/// weights are 1 / T^2. It also makes both parameters count: with equal weights one message of a MiB
/// would outweigh all small ones, which alone tell a0; with these the small ones, whose T is a0
/// nearly, fix a0, and a1 comes from the large ones, where it makes up most of T. T is that of the
/// line, found by repeating, for that of the timings would favour those that came out too small.
/// Neither parameter is negative: one that would be is 0 and the other is fitted alone.
/// Where time is not linear in size, and what messages take on a link with a burst (BurstLaw) comes
/// much closer to the timings, the result is that.
/// Precondition: at least three timings, of at least two sizes.
LinkFit fitLink(std::span<const Timing> timings);

} // namespace tasuki::probe
