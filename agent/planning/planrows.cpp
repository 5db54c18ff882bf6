// SPDX-License-Identifier: GPL-3.0-or-later
#include "planrows.h"

#include <algorithm>
#include <map>

namespace tasuki::planning {

namespace {

/// Of the intervals: the same measurements give the same ones.
constexpr std::uint64_t evaluationSeed = 1;

} // namespace

std::vector<MeasuredAllocation> predictMeasured(const plan::Predictor& predictor,
                                                const std::vector<plan::Measurement>& measurements)
{
    const std::unique_ptr<plan::Predictor> own = predictor.clone();
    std::vector<MeasuredAllocation> all;
    for (const plan::Measurement& measured : measurements)
        all.push_back({.predicted = {.allocation = measured.allocation,
                                     .timeUs = plan::predictOne(*own, measured.allocation)},
                       .measured = measured});
    return all;
}

std::optional<double> PlanRow::error() const
{
    if (!measuredUs)
        return std::nullopt;
    return (predicted.timeUs - *measuredUs) / *measuredUs;
}

std::vector<PlanRow> planRows(const std::vector<plan::Ranked>& best, std::size_t rows,
                              const std::vector<MeasuredAllocation>& measured)
{
    std::map<plan::Allocation, const MeasuredAllocation*> waiting;
    for (const MeasuredAllocation& each : measured)
        waiting.emplace(each.predicted.allocation, &each);
    std::vector<PlanRow> all;
    std::uint64_t place = 0;
    for (const plan::Ranked& ranked : best) {
        ++place;
        if (place > rows && waiting.empty())
            break;
        const auto found = waiting.find(ranked.allocation);
        if (place > rows && found == waiting.end())
            continue;
        all.push_back({.place = place, .predicted = ranked, .measuredUs = {}});
        if (found == waiting.end())
            continue;
        all.back().measuredUs = usPerSecond * found->second->measured.medianSeconds();
        waiting.erase(found);
    }
    for (const auto& [allocation, each] : waiting)
        all.push_back({.place = {},
                       .predicted = each->predicted,
                       .measuredUs = usPerSecond * each->measured.medianSeconds()});
    std::ranges::stable_sort(all, plan::comesBefore, &PlanRow::predicted);
    return all;
}

std::optional<PlanAccuracy> accuracyOf(const plan::Ranked* best,
                                       const std::vector<MeasuredAllocation>& measured)
{
    if (measured.empty())
        return std::nullopt;
    std::vector<plan::Ranked> predicted;
    std::vector<plan::Measurement> measurements;
    for (const MeasuredAllocation& each : measured) {
        predicted.push_back(each.predicted);
        measurements.push_back(each.measured);
    }
    const bool isBest = best != nullptr && measured.size() > 1
        && std::ranges::find(predicted, best->allocation, &plan::Ranked::allocation)
            != predicted.end();
    return PlanAccuracy{.evaluation = plan::evaluate(predicted, measurements, evaluationSeed),
                        .bestIsMeasured = isBest};
}

} // namespace tasuki::planning
