// SPDX-License-Identifier: GPL-3.0-or-later
#include "experiment.h"

#include "plan/compiler.h"
#include "plan/enumeration.h"
#include "plan/environmentfile.h"
#include "plan/lsmg.h"
#include "plan/replay.h"
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

Result<std::unique_ptr<plan::Predictor>> predictorOf(
    const trace::Trace& trace, const std::shared_ptr<const plan::Environment>& environment,
    Model model)
{
    if (model == Model::Lsmg)
        return std::unique_ptr<plan::Predictor>(std::make_unique<plan::Lsmg>(
            std::make_shared<const plan::LsmgProgram>(plan::lsmgProgram(trace)), environment));
    Result<plan::Compiled> compiled = plan::compile(trace, environment->eagerBytes);
    if (!compiled)
        return compiled.error();
    return std::unique_ptr<plan::Predictor>(std::make_unique<plan::Replay>(
        std::make_shared<const plan::Program>(std::move(compiled->program)), environment));
}

} // namespace

const char* modelName(Model model) { return model == Model::Lsmg ? "lsmg" : "replay"; }

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

Result<ModelResult> predict(const ExperimentFiles& files, const Experiment& experiment, Model model)
{
    const Result<trace::Trace> trace = readTrace(files.trace);
    if (!trace)
        return trace.error();
    const Result<std::unique_ptr<plan::Predictor>> predictor = predictorOf(
        *trace, experiment.environment, model);
    if (!predictor)
        return predictor.error();
    ModelResult result;
    // Every permutation for itself, as each was measured for itself: equal nodes too.
    plan::Allocation allocation;
    for (std::uint32_t task = 0; task < trace->tasks(); ++task)
        allocation.emplace_back(task);
    do
        result.predicted.push_back({allocation, plan::predictOne(**predictor, allocation)});
    while (std::next_permutation(allocation.begin(), allocation.end()));
    result.evaluation = plan::evaluate(result.predicted, experiment.measurements, seed);
    return result;
}

} // namespace tasuki::evaluation
