// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "plan/environment.h"
#include "plan/evaluation.h"
#include "plan/measurements.h"
#include "plan/modelpredictor.h"
#include "plan/ranking.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace tasuki::evaluation {

/// @return "lsmg" or "replay"
const char* modelName(plan::Model model);

/// A program that was traced once and measured under its allocations.
struct Experiment {
    std::shared_ptr<const plan::Environment> environment;
    std::vector<plan::Measurement> measurements;
    std::uint64_t failedRuns = 0;
};

/// What a model says of all allocations of the traced program, and how well it serves; its
/// predictions are in the order of the allocations.
struct ModelResult {
    std::vector<plan::Ranked> predicted;
    plan::Evaluation evaluation;
};

/// The files of one experiment.
struct ExperimentFiles {
    std::string trace;
    std::string environment;
    std::string measurements; ///< empty: only predictions are wanted
};

/// Reads everything and predicts.
/// @return an Error when a file cannot be used, or the trace has diagnostics: a trace for an
///         experiment has to be whole
Result<Experiment> readExperiment(const ExperimentFiles& files);
Result<ModelResult> predict(const ExperimentFiles& files, const Experiment& experiment,
                            plan::Model model);

} // namespace tasuki::evaluation
