// SPDX-License-Identifier: GPL-3.0-or-later
#include "plancodec.h"

#include "eventpayloadcodec.h"

#include "link.pb.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace tasuki::link {

namespace {

bool allFinite(const std::vector<double>& numbers)
{
    return std::ranges::all_of(numbers, [](double number) { return std::isfinite(number); });
}

void encodeNote(const Diagnostic& note, wire::link::PlanNote& out)
{
    out.set_severity(static_cast<std::uint32_t>(note.severity));
    out.set_file(note.place.file);
    out.set_line(note.place.line);
    out.set_column(note.place.column);
    out.set_message(note.message.text());
    out.set_remedy(note.remedy.text());
}

Diagnostic decodeNote(wire::link::PlanNote&& message)
{
    return {.severity = static_cast<Severity>(message.severity()),
            .place = {.file = std::move(*message.mutable_file()),
                      .line = message.line(),
                      .column = message.column()},
            .message = std::move(*message.mutable_message()),
            .remedy = std::move(*message.mutable_remedy())};
}

} // namespace

void encodePlan(const PlanRequest& request, wire::link::PlanRequest& out)
{
    out.set_number(request.number);
    out.set_model(static_cast<std::uint32_t>(request.model));
    out.set_keep(request.keep);
    out.set_trace_name(request.traceName);
    out.set_environment_name(request.environmentName);
    out.set_trace_bytes(request.traceBytes);
    out.set_environment_bytes(request.environmentBytes);
}

Result<PlanRequest> decodePlan(wire::link::PlanRequest&& message)
{
    if (message.model() > static_cast<std::uint32_t>(PlanModel::Lsmg))
        return malformed("a plan with an unknown model");
    if (message.keep() == 0 || message.keep() > mostPlanKept)
        return malformed("a plan that keeps " + std::to_string(message.keep())
                         + " allocations, not 1 to " + std::to_string(mostPlanKept));
    return PlanRequest{.number = message.number(),
                       .model = static_cast<PlanModel>(message.model()),
                       .keep = message.keep(),
                       .traceName = std::move(*message.mutable_trace_name()),
                       .environmentName = std::move(*message.mutable_environment_name()),
                       .traceBytes = message.trace_bytes(),
                       .environmentBytes = message.environment_bytes()};
}

void encodePlan(const PlanProgress& progress, wire::link::PlanProgress& out)
{
    out.set_number(progress.number);
    out.set_phase(static_cast<std::uint32_t>(progress.phase));
    out.set_tasks(progress.tasks);
    out.set_records(progress.records);
    out.set_tried(progress.tried);
    out.set_total(progress.total);
}

Result<PlanProgress> decodePlan(const wire::link::PlanProgress& message)
{
    if (message.phase() > static_cast<std::uint32_t>(PlanPhase::Searching))
        return malformed("a plan in an unknown phase");
    return PlanProgress{.number = message.number(),
                        .phase = static_cast<PlanPhase>(message.phase()),
                        .tasks = message.tasks(),
                        .records = message.records(),
                        .tried = message.tried(),
                        .total = message.total()};
}

void encodePlan(const PlanFound& found, wire::link::PlanFound& out)
{
    out.set_number(found.number);
    out.set_tasks(found.tasks);
    out.set_more(found.more);
    out.mutable_times_us()->Assign(found.timesUs.begin(), found.timesUs.end());
    out.mutable_nodes()->Assign(found.nodes.begin(), found.nodes.end());
    out.set_worst_us(found.worstUs);
    out.mutable_worst_nodes()->Assign(found.worstNodes.begin(), found.worstNodes.end());
    out.set_sum_us(found.sumUs);
    out.set_tried(found.tried);
    out.set_total(found.total);
}

Result<PlanFound> decodePlan(const wire::link::PlanFound& message)
{
    PlanFound found{.number = message.number(),
                    .tasks = message.tasks(),
                    .more = message.more(),
                    .timesUs = {message.times_us().begin(), message.times_us().end()},
                    .nodes = {message.nodes().begin(), message.nodes().end()},
                    .worstUs = message.worst_us(),
                    .worstNodes = {message.worst_nodes().begin(), message.worst_nodes().end()},
                    .sumUs = message.sum_us(),
                    .tried = message.tried(),
                    .total = message.total()};
    const std::uint64_t nodes = std::uint64_t{found.timesUs.size()} * found.tasks;
    const bool hasWorst = !found.more && found.tried > 0;
    if (found.nodes.size() != nodes || found.worstNodes.size() != (hasWorst ? found.tasks : 0))
        return malformed("allocations that do not have a node for each task");
    if (!allFinite(found.timesUs) || !std::isfinite(found.worstUs) || !std::isfinite(found.sumUs))
        return malformed("a runtime that is no number");
    return found;
}

void encodePlan(const PlanEnded& ended, wire::link::PlanEnded& out)
{
    out.set_number(ended.number);
    out.set_end(static_cast<std::uint32_t>(ended.end));
    out.set_reason(ended.reason);
    for (const Diagnostic& note : ended.notes)
        encodeNote(note, *out.add_notes());
}

Result<PlanEnded> decodePlan(wire::link::PlanEnded&& message)
{
    if (message.end() > static_cast<std::uint32_t>(PlanEnd::Replaced))
        return malformed("an unknown end of a plan");
    PlanEnded ended{.number = message.number(),
                    .end = static_cast<PlanEnd>(message.end()),
                    .reason = std::move(*message.mutable_reason()),
                    .notes = {}};
    for (wire::link::PlanNote& note : *message.mutable_notes()) {
        if (note.severity() > static_cast<std::uint32_t>(Severity::Failure))
            return malformed("a note of unknown severity");
        ended.notes.push_back(decodeNote(std::move(note)));
    }
    return ended;
}

} // namespace tasuki::link
