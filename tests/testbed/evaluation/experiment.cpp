// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment.h"

#include "plan/environmentfile.h"
#include "plan/modelpredictor.h"
#include "trace/tracefile.h"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <utility>

namespace tasuki::evaluation {

namespace {

/// Of the bootstrap: the same table from the same files.
constexpr std::uint64_t seed = 20'060'401;

Error inputError(const std::string& text)
{
    return {.kind = ErrorKind::Input, .message = text, .remedy = {}};
}

Error firstOf(const std::vector<Diagnostic>& diagnostics)
{
    return inputError(diagnostics.front().text());
}

Result<std::string> contentOf(const std::string& path)
{
    std::ifstream file(path, std::ios::binary);
    std::ostringstream content;
    content << file.rdbuf();
    if (!file)
        return inputError("cannot read " + path);
    return std::move(content).str();
}

Result<trace::Trace> readTrace(const std::string& path)
{
    Result<trace::TraceReading> reading = trace::readTraceFile(path);
    if (!reading)
        return reading.error();
    if (!reading->diagnostics.empty())
        return firstOf(reading->diagnostics);
    return std::move(reading->trace);
}

} // namespace

const char* modelName(plan::Model model) { return model == plan::Model::Lsmg ? "lsmg" : "replay"; }

Result<Experiment> readExperiment(const ExperimentFiles& files)
{
    plan::EnvironmentReading environment = plan::readEnvironmentFile(files.environment);
    if (!environment.environment)
        return firstOf(environment.diagnostics);
    Experiment experiment;
    experiment.environment = std::make_shared<const plan::Environment>(
        std::move(*environment.environment));
    if (files.measurements.empty())
        return experiment;
    const Result<std::string> text = contentOf(files.measurements);
    if (!text)
        return text.error();
    const auto tasks = static_cast<std::uint32_t>(experiment.environment->nodes.size());
    plan::MeasurementReading reading = plan::readMeasurements(*text, files.measurements,
                                                              *experiment.environment, tasks);
    if (std::ranges::any_of(reading.diagnostics, &Diagnostic::isError))
        return firstOf(reading.diagnostics);
    experiment.measurements = std::move(reading.measurements);
    experiment.failedRuns = reading.failedRuns;
    return experiment;
}

Result<ModelResult> predict(const ExperimentFiles& files, const Experiment& experiment,
                            plan::Model model)
{
    const Result<trace::Trace> trace = readTrace(files.trace);
    if (!trace)
        return trace.error();
    std::vector<Diagnostic> warnings;
    const auto predictor = plan::modelPredictor(model, *trace, experiment.environment, warnings);
    if (!predictor)
        return predictor.error();
    const std::unique_ptr<plan::Predictor> mine = (*predictor)->clone();
    ModelResult result;
    // Every permutation for itself, as each was measured for itself: equal nodes too.
    plan::Allocation allocation;
    for (std::uint32_t task = 0; task < trace->tasks(); ++task)
        allocation.emplace_back(task);
    do
        result.predicted.push_back({allocation, plan::predictOne(*mine, allocation)});
    while (std::next_permutation(allocation.begin(), allocation.end()));
    result.evaluation = plan::evaluate(result.predicted, experiment.measurements, seed);
    return result;
}

} // namespace tasuki::evaluation
