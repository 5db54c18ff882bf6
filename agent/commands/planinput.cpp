// SPDX-License-Identifier: GPL-3.0-or-later
#include "planinput.h"

#include "files/streamtext.h"
#include "plan/enumeration.h"
#include "plan/environmentfile.h"
#include "plan/loggedpart.h"
#include "plan/search.h"
#include "plan/unfollowed.h"
#include "trace/tracefile.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stop_token>
#include <utility>

namespace tasuki {

namespace {

Diagnostic toDiagnostic(const Error& error, const std::string& file)
{
    Diagnostic diagnostic{.severity = Severity::Failure,
                          .place = {.file = file},
                          .message = error.message,
                          .remedy = error.remedy};
    if (error.place)
        diagnostic.place = *error.place;
    return diagnostic;
}

bool failed(const std::vector<Diagnostic>& diagnostics)
{
    return std::ranges::any_of(diagnostics, &Diagnostic::isError);
}

void append(std::vector<Diagnostic>& all, std::vector<Diagnostic> more)
{
    all.insert(all.end(), std::make_move_iterator(more.begin()),
               std::make_move_iterator(more.end()));
}

} // namespace

std::string PlanInput::fingerprint() const
{
    const std::unique_ptr<plan::Predictor> model = predictor->clone();
    std::string text = plan::environmentText(*environment) + std::to_string(records);
    [[maybe_unused]] const bool all =
        plan::Enumeration(*environment, tasks).visit({}, [&](const plan::Allocation& allocation) {
            std::array<char, 40> time{};
            std::snprintf(time.data(), time.size(), " %a", plan::predictOne(*model, allocation));
            text += time.data();
            return false;
        });
    return text;
}

PlanLoading loadPlan(const PlanOptions& options,
                     const std::function<bool(std::uint64_t bytes, std::uint64_t total)>& goOn)
{
    PlanLoading loading;
    plan::EnvironmentReading environment = plan::readEnvironmentFile(options.environment);
    append(loading.diagnostics, std::move(environment.diagnostics));
    std::stop_source stop;
    const trace::FileWatch watch{.progress =
                                     [&](const trace::FileProgress& progress) {
                                         if (!goOn(progress.bytes, progress.total))
                                             stop.request_stop();
                                     },
                                 .stop = stop.get_token()};
    Result<trace::TraceReading> reading = trace::readTraceFile(options.trace, watch);
    if (!reading) {
        loading.diagnostics.push_back(toDiagnostic(reading.error(), options.trace));
        return loading;
    }
    append(loading.diagnostics, std::move(reading->diagnostics));
    if (failed(loading.diagnostics))
        return loading;

    const trace::Trace& trace = reading->trace;
    if (auto unfollowed = plan::unfollowedDiagnostic(trace, options.unfollowedPercent / 100.0);
        unfollowed && unfollowed->isError()) {
        unfollowed->place.file = options.trace;
        unfollowed->remedy = unfollowed->remedy.text() + "; --unfollowed PERCENT allows more";
        loading.diagnostics.push_back(std::move(*unfollowed));
        return loading;
    }
    auto input = std::make_unique<PlanInput>();
    input->environment = std::make_shared<const plan::Environment>(
        std::move(*environment.environment));
    input->tasks = trace.tasks();
    input->records = trace.events.size();
    input->tracedUs = plan::tracedRuntimeUs(trace);
    const Result<void> room = plan::checkRoom(*input->environment, input->tasks);
    if (!room) {
        loading.diagnostics.push_back(toDiagnostic(room.error(), options.environment));
        return loading;
    }
    auto predictor = plan::modelPredictor(options.model, trace, input->environment,
                                          loading.diagnostics);
    if (!predictor) {
        loading.diagnostics.push_back(toDiagnostic(predictor.error(), options.trace));
        return loading;
    }
    input->predictor = std::move(*predictor);
    loading.input = std::move(input);
    return loading;
}

std::vector<plan::Measurement> loadMeasurements(const std::string& path, const PlanInput& input,
                                                std::vector<Diagnostic>& diagnostics)
{
    std::error_code failure;
    const bool isFolder = std::filesystem::is_directory(path, failure);
    std::ifstream file;
    errno = 0;
    if (!isFolder)
        file.open(path, std::ios::binary);
    const std::string text = file.is_open() ? textOf(file) : std::string();
    if (!file.is_open() || file.bad()) {
        const int reason = isFolder ? EISDIR : errno;
        diagnostics.push_back(
            toDiagnostic(systemError("cannot read it", reason != 0 ? reason : EIO), path));
        return {};
    }
    plan::MeasurementReading reading = plan::readMeasurements(text, path, *input.environment,
                                                              input.tasks);
    const bool unusable = failed(reading.diagnostics);
    append(diagnostics, std::move(reading.diagnostics));
    return unusable ? std::vector<plan::Measurement>() : std::move(reading.measurements);
}

} // namespace tasuki
