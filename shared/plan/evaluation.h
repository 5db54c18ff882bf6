// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "measurements.h"
#include "ranking.h"

#include <cstdint>
#include <vector>

namespace tasuki::plan {

/// A figure and the interval in which 95 of 100 repetitions of the measurements would have it.
struct Interval {
    double value = 0.0;
    double low = 0.0;
    double high = 0.0;
};

/// How well predicted runtimes served, by measured ones (medians of the runs of each allocation).
struct Evaluation {
    /// The paper's formula 2: a = |t_n - t_m| / t_m, with t_n the measured time of the allocation that
    /// was predicted best and t_m the best measured time.
    Interval errorA;
    double spread = 0.0;            ///< (worst - best) / best, as measured
    double randomPickLoss = 0.0;    ///< (mean - best) / best: what a random allocation costs more
    double meanAbsoluteError = 0.0; ///< mean of |predicted - measured| / measured
    double rankCorrelation = 0.0;   ///< Spearman's, of predicted and measured runtimes
    std::size_t allocations = 0;    ///< that have both
};

/// @param predicted     allocations with their predicted times; those without measurement are left
///                      out
/// @param seed          of the bootstrap, which draws runs of each allocation again
/// @return allocations = 0: none is measured
Evaluation evaluate(const std::vector<Ranked>& predicted,
                    const std::vector<Measurement>& measurements, std::uint64_t seed);

} // namespace tasuki::plan
