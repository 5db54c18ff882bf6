// SPDX-License-Identifier: GPL-3.0-or-later
#include "statistics.h"

#include <algorithm>
#include <boost/math/distributions/binomial.hpp>
#include <boost/math/distributions/students_t.hpp>
#include <cassert>

namespace tasuki::probe {

namespace {

constexpr double tail = 0.025; ///< on either side of a 95 % interval

double medianOfSorted(const std::vector<double>& sorted)
{
    const std::size_t middle = sorted.size() / 2;
    return sorted.size() % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

} // namespace

double median(std::vector<double> samples)
{
    assert(!samples.empty());
    std::ranges::sort(samples);
    return medianOfSorted(samples);
}

Figure medianFigure(std::vector<double> samples)
{
    assert(!samples.empty());
    std::ranges::sort(samples);
    // The number of samples below the true median is binomial: the interval leaves out as many at
    // either end as are improbable to lie beyond it.
    const boost::math::binomial below(static_cast<double>(samples.size()), 0.5);
    std::size_t leftOut = 0;
    while (boost::math::cdf(below, static_cast<double>(leftOut)) <= tail)
        ++leftOut;
    const std::size_t first = leftOut == 0 ? 0 : leftOut - 1;
    const double width = samples[samples.size() - 1 - first] - samples[first];
    return {.value = medianOfSorted(samples), .half = width / 2};
}

double studentFactor(std::size_t degrees)
{
    assert(degrees > 0);
    return boost::math::quantile(boost::math::students_t(static_cast<double>(degrees)), 1 - tail);
}

} // namespace tasuki::probe
