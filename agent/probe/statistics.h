// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace tasuki::probe {

/// A measured figure.
struct Figure {
    double value = 0.0;
    double half = 0.0; ///< half the width of its 95 % confidence interval

    /// Precondition: value is not 0.
    [[nodiscard]] double relativeHalf() const { return half / value; }
};

/// Precondition: there are samples.
double median(std::vector<double> samples);

/// The median with the interval between two of the sorted samples, which holds whatever the samples'
/// distribution. Fewer than 6 samples cannot give 95 %: the interval is their whole range then.
/// Precondition: there are samples.
Figure medianFigure(std::vector<double> samples);

/// @return how many standard errors a 95 % confidence interval reaches to either side
/// @param degrees  of freedom, > 0
double studentFactor(std::size_t degrees);

} // namespace tasuki::probe
