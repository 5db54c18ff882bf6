// SPDX-License-Identifier: GPL-3.0-or-later
#include "planformats.h"

#include "domain/csvfield.h"
#include "plan/freelinks.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cstdio>
#include <string_view>

namespace tasuki::planning {

namespace {

using PlanJson = nlohmann::ordered_json;

std::string fixed(double number, int digits)
{
    std::array<char, 340> text{};
    std::snprintf(text.data(), text.size(), "%.*f", digits, number);
    return text.data();
}

std::string secondsField(double us) { return fixed(us / usPerSecond, 9); }

std::string lineOf(const PlanJson& json)
{
    constexpr int compact = -1;
    return json.dump(compact, ' ', false, PlanJson::error_handler_t::replace) + '\n';
}

template <class Value>
PlanJson orNull(bool known, Value value)
{
    return known ? PlanJson(value) : PlanJson();
}

void putRanking(PlanJson& json, const PlanSummary& summary, const plan::Ranking& ranking,
                double bestUs)
{
    const bool finished = !plan::isUnfinished(ranking.tried(), summary.allocations);
    const auto exact = summary.allocations ? summary.allocations->exact() : std::nullopt;
    json["tried"] = ranking.tried();
    json["allocations"] = orNull(exact.has_value(), exact.value_or(0));
    json["allocations_log10"] = orNull(
        summary.allocations && !summary.allocations->isZero(),
        summary.allocations.value_or(plan::AllocationCount(1)).log10());
    json["finished"] = finished;
    if (ranking.tried() == 0)
        return;
    json["best_s"] = bestUs / usPerSecond;
    json["worst_s"] = orNull(finished, ranking.worst().timeUs / usPerSecond);
    json["mean_s"] = orNull(finished, ranking.meanUs() / usPerSecond);
    json["spread"] = orNull(finished, ranking.spread());
    json["placement_matters"] = orNull(finished, ranking.spread() >= plan::negligibleSpread);
}

void putAccuracy(PlanJson& json, const PlanAccuracy& accuracy)
{
    const plan::Evaluation& found = accuracy.evaluation;
    json["measured"] = found.allocations;
    json["mean_prediction_error"] = found.meanAbsoluteError;
    json["rank_correlation"] = found.rankCorrelation;
    json["choice_error"] = orNull(accuracy.bestIsMeasured, found.errorA.value);
}

} // namespace

std::string planCsv(const PlanSummary& summary, const plan::Environment& environment,
                    const plan::Ranking& ranking, std::size_t rows)
{
    const bool hasMeasured = !summary.measured.empty();
    std::string text = "place,predicted_s,over_best";
    if (hasMeasured)
        text += ",measured_s,prediction_error";
    if (ranking.tried() == 0)
        return text + '\n';
    for (std::uint32_t task = 0; task < summary.tasks; ++task)
        text += ",task" + std::to_string(task);
    text += '\n';
    const std::vector<plan::Ranked> best = ranking.best();
    const double bestUs = best.front().timeUs;
    for (const PlanRow& row : planRows(best, rows, summary.measured)) {
        text += (row.place ? std::to_string(*row.place) : std::string()) + ','
            + secondsField(row.predicted.timeUs) + ','
            + fixed(overBest(row.predicted.timeUs, bestUs), 6);
        if (hasMeasured) {
            text += ',' + (row.measuredUs ? secondsField(*row.measuredUs) : std::string()) + ','
                + (row.measuredUs ? fixed(*row.error(), 6) : std::string());
        }
        for (const plan::Node node : row.predicted.allocation)
            text += ',' + csvField(environment.nodes[node.value()].name);
        text += '\n';
    }
    return text;
}

std::string planJson(const PlanSummary& summary, const plan::Environment& environment,
                     const plan::Ranking& ranking, std::size_t rows)
{
    PlanJson head;
    head["kind"] = "plan";
    head["trace"] = summary.traceName;
    head["tasks"] = summary.tasks;
    head["records"] = summary.records;
    head["traced_s"] = summary.tracedUs / usPerSecond;
    head["nodes"] = environment.nodes.size();
    head["model"] = summary.model;
    const std::vector<plan::Ranked> best = ranking.best();
    const double bestUs = best.empty() ? 0.0 : best.front().timeUs;
    head["free_links"] = plan::freeLinks(environment).count;
    putRanking(head, summary, ranking, bestUs);
    const bool isKnown = !best.empty() && !plan::isUnfinished(ranking.tried(), summary.allocations);
    if (const auto accuracy = accuracyOf(isKnown ? &best.front() : nullptr, summary.measured))
        putAccuracy(head, *accuracy);
    std::string text = lineOf(head);
    for (const PlanRow& row : planRows(best, rows, summary.measured)) {
        PlanJson json;
        json["kind"] = "allocation";
        json["place"] = orNull(row.place.has_value(), row.place.value_or(0));
        json["predicted_s"] = row.predicted.timeUs / usPerSecond;
        json["over_best"] = overBest(row.predicted.timeUs, bestUs);
        if (row.measuredUs) {
            json["measured_s"] = *row.measuredUs / usPerSecond;
            json["prediction_error"] = *row.error();
        }
        PlanJson& nodes = json["nodes"] = PlanJson::array();
        for (const plan::Node node : row.predicted.allocation)
            nodes.push_back(environment.nodes[node.value()].name);
        text += lineOf(json);
    }
    return text;
}

} // namespace tasuki::planning
