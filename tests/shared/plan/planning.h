// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/compiler.h"
#include "plan/lsmg.h"
#include "plan/replay.h"
#include "tracemaker.h"

#include <initializer_list>
#include <memory>
#include <string>

namespace tasuki::plan::testing {

inline Allocation nodes(std::initializer_list<std::uint32_t> numbers)
{
    Allocation allocation;
    for (const std::uint32_t number : numbers)
        allocation.emplace_back(number);
    return allocation;
}

/// Task t on node t.
inline Allocation inOrder(std::uint32_t tasks)
{
    Allocation allocation;
    for (std::uint32_t task = 0; task < tasks; ++task)
        allocation.emplace_back(task);
    return allocation;
}

/// Nodes of these speeds, one link for all.
inline Environment environmentOf(std::initializer_list<double> speeds, double a0Us = 60.0,
                                 double a1UsPerByte = 0.08)
{
    Environment environment;
    environment.linkDefault = {.a0Us = a0Us, .a1UsPerByte = a1UsPerByte};
    for (const double speed : speeds)
        environment.nodes.push_back(
            {.name = "n" + std::to_string(environment.nodes.size()), .speed = speed});
    return environment;
}

/// The model `replay` with all that it needs.
struct Replaying {
    Replaying(const trace::Trace& trace, const Environment& given)
        : environment(std::make_shared<Environment>(given)),
          compiled(compile(trace, given.eagerBytes)),
          program(std::make_shared<Program>(compiled.ok() ? compiled->program : Program{})),
          model(program, environment)
    {}

    /// @return when the task's last operation of a call is over, task t being on node t
    double callEnd(std::uint32_t call)
    {
        const auto times = model.times(inOrder(program->tasks));
        double endUs = -1.0;
        for (std::size_t op = 0; op < times.size(); ++op) {
            if (program->sources[op].call == call)
                endUs = times[op].endUs;
        }
        return endUs;
    }

    double runtime() { return predictOne(model, inOrder(program->tasks)); }

    std::shared_ptr<Environment> environment;
    Result<Compiled> compiled;
    std::shared_ptr<Program> program;
    Replay model;
};

/// The paper's Table 1.
inline trace::Trace paperTrace()
{
    using Call = TraceMaker::Call;
    TraceMaker maker(2);
    maker.call(0, Call::Send, 1335, 1575).sends(1, 7992);
    maker.call(1, Call::Recv, 1189, 2198).receives(0);
    return maker.make();
}

} // namespace tasuki::plan::testing
