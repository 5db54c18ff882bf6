// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runlink.h"

#include "domain/clock.h"
#include "domain/result.h"

#include <boost/asio/io_context.hpp>

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tasuki::steering {

/// A living run, for a command that does one thing after the other: each call serves the connection until it has what
/// it wants, or nobody leads the run any more.
class LiveRun {
public:
    /// What comes meanwhile; see RunLink.
    using Hooks = RunLink::Hooks;

    /// @param accessFile  of its agent
    explicit LiveRun(std::filesystem::path accessFile, Hooks hooks = {}, AgentTiming timing = {});

    /// Joins. @return why it could not
    Result<void> join(RunLink::Wish wish = RunLink::Wish::AnswersAlone);
    /// @return the answer, or why there is none: then it may have been carried out
    Result<CommandAnswer> command(OperatorCommand command);
    Result<OutputAnswer> output(OutputQuery query);
    /// Serves until `done` holds.
    /// @param until  and no longer; none: as long as it takes
    /// @return false: the time is over; an Error: the run cannot be spoken to any more
    Result<bool> serve(const std::function<bool()>& done, std::optional<SteadyTime> until = {});

    [[nodiscard]] RunLink& link() { return m_link; }
    [[nodiscard]] boost::asio::io_context& context() { return m_context; }
    [[nodiscard]] const Clock& clock() const { return m_clock; }
    /// The agent took its leave: the run's life is over.
    [[nodiscard]] bool saidGoodbye() const { return m_state == ConnectionState::Ended; }

private:
    Hooks watched(Hooks hooks);
    template <class Answer, class Ask>
    Result<Answer> await(Ask ask);

    SystemClock m_clock;
    boost::asio::io_context m_context;
    ConnectionState m_state = ConnectionState::Idle;
    std::string m_reason; ///< of m_state
    RunLink m_link;
};

} // namespace tasuki::steering
