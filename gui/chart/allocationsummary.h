// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "allocationresult.h"

#include <cstddef>

namespace tasuki {

/// What a set of allocations says as a whole. Shares are of 1.
struct AllocationSummary {
    std::size_t listed = 0;
    std::uint64_t tried = 0;        ///< at least listed
    plan::AllocationCount all = {}; ///< at least tried
    double bestUs = 0.0;            ///< predicted
    double worstUs = 0.0;           ///< predicted, of the listed ones
    std::size_t measured = 0;
    /// The paper's formula 2: a = |t_n - t_m| / t_m, with t_n the measured time of the allocation
    /// that was predicted best and t_m the best measured time. None: n or all others not measured, or
    /// what is best of all is not known yet.
    std::optional<double> errorA;
    /// Mean of |predicted - measured| / measured. None: nothing was measured.
    std::optional<double> meanError;
    bool operator==(const AllocationSummary&) const = default;

    /// (worst - best) / best; 0 when there is nothing to compare.
    [[nodiscard]] double spread() const { return bestUs > 0.0 ? worstUs / bestUs - 1.0 : 0.0; }
    /// What follows from all allocations cannot be said: neither spread nor worst nor verdict.
    [[nodiscard]] bool isUnfinished() const { return plan::isUnfinished(tried, all); }
    /// Precondition: !isUnfinished().
    [[nodiscard]] bool placementMatters() const { return spread() >= plan::negligibleSpread; }
};

/// The order of predictions: by time, of equal times by nodes.
bool isBetter(const AllocationResult& a, const AllocationResult& b);

/// (predicted - measured) / measured; none: not measured.
std::optional<double> predictionError(const AllocationResult& result);

AllocationSummary summaryOf(const AllocationResults& results);

} // namespace tasuki
