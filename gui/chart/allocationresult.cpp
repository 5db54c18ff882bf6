// SPDX-License-Identifier: GPL-3.0-or-later
#include "allocationresult.h"

#include <algorithm>

namespace tasuki {

namespace {

constexpr qsizetype longestWord = 3;

QString commonStart(const QStringList& names)
{
    QString start = names.value(0);
    for (const QString& name : names) {
        while (!name.startsWith(start))
            start.chop(1);
    }
    return start;
}

bool allocatedBefore(const AllocationResult* a, const AllocationResult* b)
{
    return a->allocation < b->allocation;
}

} // namespace

QStringList shortNodeNames(const plan::Environment& environment)
{
    QStringList names;
    for (const plan::NodeSpec& node : environment.nodes)
        names << QString::fromStdString(node.name);
    const qsizetype start = commonStart(names).size();
    QStringList words;
    for (const QString& name : names)
        words << name.mid(start);
    const bool fit = std::all_of(words.cbegin(), words.cend(), [](const QString& word) {
        return !word.isEmpty() && word.size() <= longestWord && !word.contains(QLatin1Char(' '));
    });
    for (qsizetype node = 0; !fit && node < words.size(); ++node)
        words[node] = QString::number(node);
    return words;
}

AllocationResults resultsOf(const plan::Environment& environment, const plan::Ranking& ranking,
                            const plan::AllocationCount& all)
{
    AllocationResults results{.listed = {}, .tried = ranking.tried(), .all = all};
    if (ranking.tried() == 0)
        return results;
    const QStringList words = shortNodeNames(environment);
    QStringList names;
    for (const plan::NodeSpec& node : environment.nodes)
        names << QString::fromStdString(node.name);
    std::vector<plan::Ranked> ranked = ranking.best();
    const auto isWorst = [&](const plan::Ranked& one) {
        return one.allocation == ranking.worst().allocation;
    };
    if (!plan::isUnfinished(ranking.tried(), all)
        && std::none_of(ranked.begin(), ranked.end(), isWorst))
        ranked.push_back(ranking.worst());
    results.listed.reserve(ranked.size());
    for (plan::Ranked& one : ranked) {
        AllocationResult result;
        QStringList label;
        for (const plan::Node node : one.allocation) {
            label << words[node.value()];
            result.nodes << names[node.value()];
        }
        result.label = label.join(QLatin1Char(' '));
        result.allocation = std::move(one.allocation);
        result.predictedUs = one.timeUs;
        results.listed.push_back(std::move(result));
    }
    return results;
}

void addMeasurements(AllocationResults& results, const std::vector<plan::Measurement>& measurements)
{
    std::vector<AllocationResult*> sorted;
    for (AllocationResult& result : results.listed)
        sorted.push_back(&result);
    std::sort(sorted.begin(), sorted.end(), allocatedBefore);
    for (const plan::Measurement& measurement : measurements) {
        AllocationResult wanted;
        wanted.allocation = measurement.allocation;
        const auto at = std::lower_bound(sorted.begin(), sorted.end(), &wanted, allocatedBefore);
        if (at == sorted.end() || (*at)->allocation != measurement.allocation)
            continue;
        constexpr double usPerSecond = 1e6;
        const auto [low, high] = std::minmax_element(measurement.seconds.begin(),
                                                     measurement.seconds.end());
        (*at)->measuredUs = measurement.medianSeconds() * usPerSecond;
        (*at)->measuredRange = MeasuredRange{.lowUs = *low * usPerSecond,
                                             .highUs = *high * usPerSecond};
    }
}

} // namespace tasuki
