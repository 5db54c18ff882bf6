// SPDX-License-Identifier: GPL-3.0-or-later
#include "compiler.h"

#include "callsequence.h"
#include "oporder.h"
#include "taskops.h"
#include "unfollowed.h"

#include <utility>

namespace tasuki::plan {

Result<Compiled> compile(const trace::Trace& trace, std::uint64_t eagerBytes)
{
    const std::vector<CallSequence> sequences = callSequences(trace);
    TaskOps ops = taskOps(trace, sequences, eagerBytes);
    Result<Program> program = ordered(ops);
    if (!program)
        return program.error();
    // Whoever wants a limit has asked before.
    if (auto unfollowed = unfollowedDiagnostic(trace, 1.0))
        ops.warnings.push_back(std::move(*unfollowed));
    return Compiled{.program = std::move(*program), .warnings = std::move(ops.warnings)};
}

} // namespace tasuki::plan
