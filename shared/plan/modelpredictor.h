// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/diagnostic.h"
#include "domain/result.h"
#include "predictor.h"
#include "trace/trace.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tasuki::plan {

/// How runtimes are predicted.
enum class Model : std::uint8_t { Replay, Lsmg };

/// Compiles a trace for a model.
/// @param warnings  gets what had to be guessed at
/// @return an Error when the trace cannot be replayed
Result<std::shared_ptr<const Predictor>> modelPredictor(
    Model model, const trace::Trace& trace, const std::shared_ptr<const Environment>& environment,
    std::vector<Diagnostic>& warnings);

} // namespace tasuki::plan
