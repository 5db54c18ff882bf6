// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "progress.h"
#include "statusline.h"

#include "domain/clock.h"
#include "domain/event.h"
#include "domain/result.h"
#include "domain/runstate.h"

#include <cstdio>
#include <optional>
#include <string>

namespace tasuki {

/// Tells a run on the terminal, on standard error: progress, failures, losses and notices. Reactor's
/// thread only.
class RunReporter {
public:
    struct Options {
        bool quiet = false;           ///< no progress; losses and notices are told all the same
        int columns = 0;              ///< of the terminal, 0: none
        std::string command = "farm"; ///< with which the run goes on
        bool kept = true;             ///< there is a record when the run has ended
        std::FILE* errors = stderr;
    };

    /// @param state, clock  outlive the reporter
    RunReporter(const RunState& state, const Clock& clock, Options options);

    /// An event has been applied to the state.
    void published(const Event& event);
    /// The record cannot be written, or can again.
    void stalled(const std::optional<Error>& error);
    /// What the run is doing, for the progress line; empty: nothing special.
    void setPhase(std::string phase) { m_phase = std::move(phase); }
    /// Draws the progress line if it is time to.
    void tick();
    /// The last words: totals, and where to look further.
    void finish(const std::string& runFile);
    /// Others are about to write on the terminal.
    void makeRoom() { m_progress.clear(); }
    /// A line on standard error that does not run into the progress line.
    void say(const std::string& line);

private:
    void attemptFinished(const AttemptFinished& event);
    void tellFailure(const AttemptFinished& event);
    [[nodiscard]] ProgressFigures figures() const;
    [[nodiscard]] std::string waitingText() const;

    const RunState& m_state;
    const Clock& m_clock;
    Options m_options;
    StatusLine m_progress;
    SteadyTime m_begun;
    std::size_t m_doneBefore = 0;
    std::size_t m_failuresTold = 0;
    std::string m_phase;
    std::string m_stall;
};

} // namespace tasuki
