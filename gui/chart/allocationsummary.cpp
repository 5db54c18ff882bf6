// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationsummary.h"

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

void addMeasured(AllocationSummary& summary, const std::vector<AllocationResult>& listed)
{
    double errors = 0.0;
    double bestMeasuredUs = 0.0;
    for (const AllocationResult& result : listed) {
        const auto error = predictionError(result);
        if (!error)
            continue;
        errors += std::abs(*error);
        if (summary.measured == 0 || *result.measuredUs < bestMeasuredUs)
            bestMeasuredUs = *result.measuredUs;
        ++summary.measured;
    }
    if (summary.measured == 0)
        return;
    summary.meanError = errors / static_cast<double>(summary.measured);
    const AllocationResult& chosen = *std::min_element(listed.begin(), listed.end(), isBetter);
    if (summary.measured > 1 && predictionError(chosen) && !summary.isUnfinished())
        summary.errorA = std::abs(*chosen.measuredUs - bestMeasuredUs) / bestMeasuredUs;
}

} // namespace

bool isBetter(const AllocationResult& a, const AllocationResult& b)
{
    return a.predictedUs != b.predictedUs ? a.predictedUs < b.predictedUs
                                          : a.allocation < b.allocation;
}

std::optional<double> predictionError(const AllocationResult& result)
{
    if (!result.measuredUs || *result.measuredUs <= 0.0)
        return std::nullopt;
    return (result.predictedUs - *result.measuredUs) / *result.measuredUs;
}

AllocationSummary summaryOf(const AllocationResults& results)
{
    AllocationSummary summary;
    summary.listed = results.listed.size();
    summary.tried = std::max<std::uint64_t>(results.tried, results.listed.size());
    const bool more = results.all.isMoreThan(summary.tried);
    summary.all = more ? results.all : plan::AllocationCount(summary.tried);
    if (results.listed.empty())
        return summary;
    const auto [best, worst] = std::minmax_element(
        results.listed.begin(), results.listed.end(),
        [](const auto& a, const auto& b) { return a.predictedUs < b.predictedUs; });
    summary.bestUs = best->predictedUs;
    summary.worstUs = worst->predictedUs;
    addMeasured(summary, results.listed);
    return summary;
}

} // namespace tasuki
