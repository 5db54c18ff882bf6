// SPDX-License-Identifier: GPL-3.0-or-later
#include "planreport.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <string_view>

namespace tasuki::planning {

namespace {

std::string decimal(double number, int digits)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, number);
    return text.data();
}

std::string rightAligned(const std::string& text, std::size_t width)
{
    std::string padded(width - std::min(width, text.size()), ' ');
    padded += text;
    return padded;
}

std::string grouped(std::uint64_t number)
{
    std::string digits = std::to_string(number);
    for (std::size_t place = digits.size(); place > 3; place -= 3)
        digits.insert(place - 3, 1, ',');
    return digits;
}

std::string secondsText(double us) { return decimal(us / 1e6, 4) + " s"; }

/// A field of a CSV file (RFC 4180).
std::string csvField(std::string_view text)
{
    if (text.find_first_of(",\"\r\n") == std::string_view::npos)
        return std::string(text);
    std::string quoted = "\"";
    for (const char letter : text) {
        quoted += letter;
        if (letter == '"')
            quoted += letter;
    }
    quoted += '"';
    return quoted;
}

std::string rowOf(const std::string& place, const std::string& time, const std::string& ratio)
{
    std::string row = rightAligned(place, 8);
    row += rightAligned(time, 13);
    row += rightAligned(ratio, 9);
    row += "  ";
    return row;
}

/// A log without any time in it has nothing to compare.
double overBest(double timeUs, double bestUs) { return bestUs > 0.0 ? timeUs / bestUs : 1.0; }

std::string rowText(const plan::Environment& environment, const plan::Ranked& ranked,
                    std::uint64_t place, double bestUs)
{
    return rowOf(grouped(place), secondsText(ranked.timeUs),
                 decimal(overBest(ranked.timeUs, bestUs), 3))
        + plan::allocationText(environment, ranked.allocation) + '\n';
}

std::string verdict(const plan::Ranking& ranking, double bestUs)
{
    std::string text = "spread (worst - best) / best: " + decimal(100.0 * ranking.spread(), 1)
        + " %; a random pick costs "
        + decimal(100.0 * (overBest(ranking.meanUs(), bestUs) - 1.0), 1)
        + " % more than the best\n";
    if (ranking.spread() < plan::negligibleSpread)
        text += "placement does not matter for this program on these nodes: take any\n";
    return text;
}

} // namespace

std::string planTable(const PlanSummary& summary, const plan::Environment& environment,
                      const plan::Ranking& ranking, std::size_t rows)
{
    std::string text = summary.traceName + ": " + std::to_string(summary.tasks) + " tasks, "
        + grouped(summary.records) + " records, " + secondsText(summary.tracedUs) + " as traced; "
        + std::to_string(environment.nodes.size()) + " nodes; model " + summary.model + '\n';
    if (ranking.tried() == 0)
        return text + "nothing was tried\n";
    text += rowOf("place", "predicted", "/ best") + "nodes of tasks 0, 1, ...\n";
    const std::vector<plan::Ranked> best = ranking.best();
    const double bestUs = best.front().timeUs;
    const std::size_t shown = std::min(rows, best.size());
    for (std::size_t index = 0; index < shown; ++index)
        text += rowText(environment, best[index], index + 1, bestUs);
    if (shown < ranking.tried()) {
        if (shown + 1 < ranking.tried())
            text += rightAligned("...", 8) + '\n';
        text += rowText(environment, ranking.worst(), ranking.tried(), bestUs);
    }
    if (ranking.tried() < summary.allocations) {
        text += "not all were tried: " + grouped(ranking.tried()) + " of "
            + grouped(summary.allocations) + '\n';
    }
    return text + verdict(ranking, bestUs);
}

std::string planCsv(const plan::Environment& environment, const plan::Ranking& ranking)
{
    std::string text = "place,predicted_s,over_best";
    if (ranking.tried() == 0)
        return text + '\n';
    const std::vector<plan::Ranked> best = ranking.best();
    for (std::size_t task = 0; task < best.front().allocation.size(); ++task)
        text += ",task" + std::to_string(task);
    text += '\n';
    for (std::size_t index = 0; index < best.size(); ++index) {
        text += std::to_string(index + 1) + ',' + decimal(best[index].timeUs / 1e6, 9) + ','
            + decimal(overBest(best[index].timeUs, best.front().timeUs), 6);
        for (const plan::Node node : best[index].allocation)
            text += ',' + csvField(environment.nodes[node.value()].name);
        text += '\n';
    }
    return text;
}

} // namespace tasuki::planning
