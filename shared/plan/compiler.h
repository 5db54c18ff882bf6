// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/diagnostic.h"
#include "domain/result.h"
#include "program.h"

#include <cstdint>
#include <vector>

namespace tasuki::plan {

struct Compiled {
    Program program;
    std::vector<Diagnostic> warnings;
};

/// Compiles a trace for prediction; the result does not refer to the trace.
/// @param eagerBytes  Environment::eagerBytes
/// @return an Error of kind Input when tasks would wait for each other for ever, as may be when
///         messages that could travel in the trace now wait for their receives
Result<Compiled> compile(const trace::Trace& trace, std::uint64_t eagerBytes);

} // namespace tasuki::plan
