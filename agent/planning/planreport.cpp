// SPDX-License-Identifier: GPL-3.0-or-later
#include "planreport.h"

#include "plan/freelinks.h"
#include "plan/timescale.h"

#include <algorithm>
#include <array>
#include <cstdio>

namespace tasuki::planning {

namespace {

std::string decimal(double number, int digits)
{
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, number);
    return text.data();
}

std::string percent(double share) { return decimal(100.0 * share, 1) + " %"; }

std::string rightAligned(const std::string& text, std::size_t width)
{
    std::string padded(width - std::min(width, text.size()), ' ');
    padded += text;
    return padded;
}

/// The lines of a table whose times have one unit.
class PlanLines {
public:
    PlanLines(const plan::Environment& environment, double bestUs, const std::vector<PlanRow>& rows,
              const plan::Ranked* worst, bool hasMeasured)
        : m_environment(environment), m_bestUs(bestUs), m_hasMeasured(hasMeasured)
    {
        double shortestUs = m_bestUs;
        double longestUs = worst != nullptr ? worst->timeUs : m_bestUs;
        for (const PlanRow& row : rows) {
            shortestUs = std::min(shortestUs, row.measuredUs.value_or(shortestUs));
            longestUs = std::max({longestUs, row.predicted.timeUs, row.measuredUs.value_or(0.0)});
        }
        m_scale = plan::TimeScale(shortestUs, longestUs);
    }

    [[nodiscard]] std::string heading() const
    {
        return line("place", "predicted", "/ best", "measured", "error")
            + "nodes of tasks 0, 1, ...\n";
    }

    [[nodiscard]] static std::string gap() { return rightAligned("...", placeWidth) + '\n'; }

    [[nodiscard]] std::string row(const PlanRow& row) const
    {
        const auto error = row.error();
        return line(row.place ? plan::groupedDigits(*row.place) : "-",
                    m_scale.text(row.predicted.timeUs),
                    decimal(overBest(row.predicted.timeUs, m_bestUs), 3),
                    row.measuredUs ? m_scale.text(*row.measuredUs) : "-",
                    error ? (*error < 0.0 ? "" : "+") + percent(*error) : "-")
            + plan::allocationText(m_environment, row.predicted.allocation) + '\n';
    }

private:
    static constexpr std::size_t placeWidth = 8;
    static constexpr std::size_t timeWidth = 13;
    static constexpr std::size_t shareWidth = 9;

    [[nodiscard]] std::string line(const std::string& place, const std::string& time,
                                   const std::string& ratio, const std::string& measured,
                                   const std::string& error) const
    {
        std::string text = rightAligned(place, placeWidth);
        text += rightAligned(time, timeWidth);
        text += rightAligned(ratio, shareWidth);
        if (m_hasMeasured) {
            text += rightAligned(measured, timeWidth);
            text += rightAligned(error, shareWidth);
        }
        text += "  ";
        return text;
    }

    const plan::Environment& m_environment;
    double m_bestUs;
    bool m_hasMeasured;
    plan::TimeScale m_scale;
};

std::string verdict(const plan::Ranking& ranking, double bestUs)
{
    std::string text = "spread (worst - best) / best: " + percent(ranking.spread())
        + "; a random pick costs " + percent(overBest(ranking.meanUs(), bestUs) - 1.0)
        + " more than the best\n";
    if (ranking.spread() < plan::negligibleSpread)
        text += "placement does not matter for this program on these nodes: take any\n";
    return text;
}

std::string accuracyText(const PlanAccuracy& accuracy)
{
    const plan::Evaluation& found = accuracy.evaluation;
    std::string text = "measured: " + plan::groupedDigits(found.allocations)
        + (found.allocations == 1 ? " allocation" : " allocations") + "; mean prediction error "
        + percent(found.meanAbsoluteError);
    if (found.allocations > 1)
        text += ", rank correlation " + decimal(found.rankCorrelation, 2);
    text += '\n';
    if (accuracy.bestIsMeasured) {
        text += "error of the choice |t_n - t_m| / t_m: " + percent(found.errorA.value) + " ("
            + percent(found.errorA.low) + " to " + percent(found.errorA.high) + ")\n";
    }
    return text;
}

} // namespace

std::string planTable(const PlanSummary& summary, const plan::Environment& environment,
                      const plan::Ranking& ranking, std::size_t rows)
{
    std::string text = summary.traceName + ": " + std::to_string(summary.tasks) + " tasks, "
        + plan::groupedDigits(summary.records) + " records, "
        + plan::TimeScale(summary.tracedUs, summary.tracedUs).text(summary.tracedUs)
        + " as traced; " + std::to_string(environment.nodes.size()) + " nodes; model "
        + summary.model + '\n';
    if (ranking.tried() == 0)
        return text + "nothing was tried\n";
    const std::string unfinished = plan::unfinishedText(ranking.tried(), summary.allocations);
    const std::vector<plan::Ranked> best = ranking.best();
    std::vector<PlanRow> shown = planRows(best, rows, summary.measured);
    const plan::Ranked* const worst = unfinished.empty() ? &ranking.worst() : nullptr;
    const PlanLines lines(environment, best.front().timeUs, shown, worst,
                          !summary.measured.empty());
    if (worst != nullptr) {
        if (shown.back().predicted.allocation == worst->allocation)
            shown.back().place = ranking.tried();
        else
            shown.push_back({.place = ranking.tried(), .predicted = *worst, .measuredUs = {}});
    }
    text += lines.heading();
    std::optional<std::uint64_t> before = 0;
    for (const PlanRow& row : shown) {
        if (before && row.place != *before + 1)
            text += PlanLines::gap();
        before = row.place;
        text += lines.row(row);
    }
    text += unfinished.empty() ? verdict(ranking, best.front().timeUs) : unfinished + '\n';
    if (const auto accuracy = accuracyOf(unfinished.empty() ? &best.front() : nullptr,
                                         summary.measured))
        text += accuracyText(*accuracy);
    if (const std::string free = plan::freeLinksText(environment); !free.empty())
        text += "warning: " + free + ": their messages are taken to need no time\n";
    return text;
}

} // namespace tasuki::planning
