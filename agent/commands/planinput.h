// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "planoptions.h"

#include "domain/diagnostic.h"
#include "domain/result.h"
#include "plan/environment.h"
#include "plan/measurements.h"
#include "plan/predictor.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tasuki {

/// A trace and an environment, ready to be searched.
struct PlanInput {
    std::shared_ptr<const plan::Environment> environment;
    std::shared_ptr<const plan::Predictor> predictor;
    std::uint32_t tasks = 0;
    std::uint64_t records = 0;
    double tracedUs = 0.0; ///< plan::tracedRuntimeUs()

    /// Tells whether two ranks have read the same.
    [[nodiscard]] std::string fingerprint() const;
};

/// What loading has come to: one of the two is there.
struct PlanLoading {
    std::unique_ptr<PlanInput> input;
    std::vector<Diagnostic> diagnostics; ///< with an error when there is no input
};

/// Reads both files and compiles the trace.
/// @param goOn  is asked now and then with the bytes read so far; false ends the loading
PlanLoading loadPlan(const PlanOptions& options,
                     const std::function<bool(std::uint64_t bytes, std::uint64_t total)>& goOn);

/// Reads measured runtimes of the program.
/// @param diagnostics  are added to
/// @return nothing when there is an error among them
std::vector<plan::Measurement> loadMeasurements(const std::string& path, const PlanInput& input,
                                                std::vector<Diagnostic>& diagnostics);

} // namespace tasuki
