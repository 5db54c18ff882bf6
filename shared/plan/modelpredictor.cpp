// SPDX-License-Identifier: GPL-3.0-or-later
#include "modelpredictor.h"

#include "compiler.h"
#include "lsmg.h"
#include "replay.h"

#include <iterator>
#include <utility>

namespace tasuki::plan {

Result<std::shared_ptr<const Predictor>> modelPredictor(
    Model model, const trace::Trace& trace, const std::shared_ptr<const Environment>& environment,
    std::vector<Diagnostic>& warnings)
{
    if (model == Model::Lsmg) {
        auto program = std::make_shared<const LsmgProgram>(lsmgProgram(trace));
        return std::shared_ptr<const Predictor>(
            std::make_shared<const Lsmg>(std::move(program), environment));
    }
    Result<Compiled> compiled = compile(trace, environment->eagerBytes);
    if (!compiled)
        return compiled.error();
    warnings.insert(warnings.end(), std::make_move_iterator(compiled->warnings.begin()),
                    std::make_move_iterator(compiled->warnings.end()));
    auto program = std::make_shared<const Program>(std::move(compiled->program));
    return std::shared_ptr<const Predictor>(
        std::make_shared<const Replay>(std::move(program), environment));
}

} // namespace tasuki::plan
