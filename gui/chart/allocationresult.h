// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/allocationcount.h"
#include "plan/measurements.h"
#include "plan/ranking.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <optional>
#include <vector>

namespace tasuki {

/// The shortest and the longest of repeated runs.
struct MeasuredRange {
    double lowUs = 0.0;
    double highUs = 0.0;
    bool operator==(const MeasuredRange&) const = default;
};

/// How long a program runs under one allocation.
struct AllocationResult {
    plan::Allocation allocation;
    /// For places with little room: a word for the node of each task, blanks between: "0 2 1 3".
    QString label;
    QStringList nodes; ///< names of the nodes, [task]
    double predictedUs = 0.0;
    std::optional<double> measuredUs; ///< the median, where it was run more than once
    std::optional<MeasuredRange> measuredRange;
    bool operator==(const AllocationResult&) const = default;
};

/// What a search has found, or has found so far.
struct AllocationResults {
    /// In any order, each allocation once; the best of all that were predicted is among them, and, when
    /// no others are left, the worst.
    std::vector<AllocationResult> listed;
    std::uint64_t tried = 0;        ///< how many were predicted; fewer than listed counts as listed
    plan::AllocationCount all = {}; ///< that there are; fewer than tried counts as tried
};

/// A word for every node, [node]: what tells its name from the others' if that is short, else its
/// number, from 0.
QStringList shortNodeNames(const plan::Environment& environment);

/// @param all  how many allocations there are
/// @return the ranking's best and, when all were tried, its worst, none measured
AllocationResults resultsOf(const plan::Environment& environment, const plan::Ranking& ranking,
                            const plan::AllocationCount& all);

/// Adds medians and ranges to the listed allocations that were measured.
void addMeasurements(AllocationResults& results,
                     const std::vector<plan::Measurement>& measurements);

} // namespace tasuki
