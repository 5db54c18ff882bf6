// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/evaluation.h"
#include "plan/measurements.h"
#include "plan/predictor.h"
#include "plan/ranking.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace tasuki::planning {

inline constexpr double usPerSecond = 1e6;

/// An allocation that was run, beside what is predicted for it.
struct MeasuredAllocation {
    plan::Ranked predicted;
    plan::Measurement measured;
};

/// @param predictor  of the program that was measured
std::vector<MeasuredAllocation> predictMeasured(const plan::Predictor& predictor,
                                                const std::vector<plan::Measurement>& measurements);

/// An allocation in a report.
struct PlanRow {
    std::optional<std::uint64_t> place; ///< from 1; none: it is not among those that were kept
    plan::Ranked predicted;
    std::optional<double> measuredUs; ///< the median of its runs

    /// (predicted - measured) / measured; none: not measured.
    [[nodiscard]] std::optional<double> error() const;
};

/// @param best      of Ranking::best();
/// @param rows      at most so many of them;
/// @param measured  all of these, wherever they stand
/// @return in the order of predicted times
std::vector<PlanRow> planRows(const std::vector<plan::Ranked>& best, std::size_t rows,
                              const std::vector<MeasuredAllocation>& measured);

/// How well the predictions serve.
struct PlanAccuracy {
    plan::Evaluation evaluation; ///< of the measured ones
    /// The best of all is among them, and others: errorA says what the choice costs.
    bool bestIsMeasured = false;
};

/// @param best  of all allocations; null: nobody knows, as not all were tried
/// @return nothing when nothing was measured
std::optional<PlanAccuracy> accuracyOf(const plan::Ranked* best,
                                       const std::vector<MeasuredAllocation>& measured);

/// A log without any time in it has nothing to compare.
inline double overBest(double timeUs, double bestUs)
{
    return bestUs > 0.0 ? timeUs / bestUs : 1.0;
}

} // namespace tasuki::planning
