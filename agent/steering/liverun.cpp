// SPDX-License-Identifier: GPL-3.0-or-later
#include "liverun.h"

#include <memory>
#include <utility>

namespace tasuki::steering {

LiveRun::LiveRun(std::filesystem::path accessFile, Hooks hooks, AgentTiming timing)
    : m_link(m_context, m_clock, timing, std::move(accessFile), watched(std::move(hooks)))
{}

/// The same hooks; this object notes the state, too.
LiveRun::Hooks LiveRun::watched(Hooks hooks)
{
    hooks.changed = [this, changed = std::move(hooks.changed)](ConnectionState state,
                                                               const std::string& reason) {
        m_state = state;
        m_reason = reason;
        changed(state, reason);
    };
    return hooks;
}

Result<void> LiveRun::join(RunLink::Wish wish)
{
    m_link.start(wish);
    const auto joined = serve([this] { return m_link.isIn(); });
    return joined ? Result<void>() : joined.error();
}

Result<bool> LiveRun::serve(const std::function<bool()>& done, std::optional<SteadyTime> until)
{
    constexpr std::chrono::milliseconds turn(200);
    while (!done()) {
        if (m_state == ConnectionState::Refused || m_state == ConnectionState::Ended)
            return Error{.kind = ErrorKind::System,
                         .message = m_state == ConnectionState::Ended
                             ? "the agent has ended" + (m_reason.empty() ? "" : ": " + m_reason)
                             : m_reason};
        const SteadyTime now = m_clock.now();
        if (until && now >= *until)
            return false;
        const auto left = until ? std::min<std::chrono::nanoseconds>(*until - now, turn) : turn;
        m_context.run_one_for(left);
        // Without anything under way it would return at once, for ever.
        if (m_context.stopped())
            m_context.restart();
    }
    return true;
}

template <class Answer, class Ask>
Result<Answer> LiveRun::await(Ask ask)
{
    // Shared: it may come after this call has given up.
    const auto answer = std::make_shared<std::optional<Result<Answer>>>();
    ask([answer](const Result<Answer>& given) { *answer = given; });
    if (const auto served = serve([&] { return answer->has_value(); }); !served)
        return answer->has_value() ? **answer : Result<Answer>(served.error());
    return **answer;
}

Result<CommandAnswer> LiveRun::command(OperatorCommand command)
{
    return await<CommandAnswer>(
        [&](CommandDone done) { m_link.command(std::move(command), std::move(done)); });
}

Result<OutputAnswer> LiveRun::output(OutputQuery query)
{
    return await<OutputAnswer>([&](OutputDone done) { m_link.output(query, std::move(done)); });
}

} // namespace tasuki::steering
