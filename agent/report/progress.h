// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/runstate.h"

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string>

namespace tasuki {

/// What the progress line says, as numbers.
struct ProgressFigures {
    std::size_t total = 0; ///< tasks that are in the list
    std::size_t done = 0;  ///< succeeded, failed or skipped
    std::size_t running = 0;
    std::size_t failed = 0;   ///< failed or skipped
    std::size_t doneHere = 0; ///< done in this life of the run
    std::chrono::microseconds elapsed{};
    std::string phase; ///< "", "finishing", "killing", "record stalled: ..."
};

/// @return the figures of a state; doneHere, elapsed and phase are the caller's
ProgressFigures progressFigures(const RunState& state);

/// @return tasks per second, and the remaining time by that rate; "-" while nothing is known
std::string rateText(const ProgressFigures& figures);
std::string remainingText(const ProgressFigures& figures);

/// @return one line of at most `width` columns with a bar, or without one when width is 0
std::string progressLine(const ProgressFigures& figures, int width);

/// Shows progress on a stream: one line drawn over again on a terminal, a plain line now and then
/// elsewhere. Reactor's thread only.
class Progress {
public:
    /// @param columns  of the terminal; 0: not a terminal
    Progress(std::FILE* stream, int columns, const Clock& clock);

    /// Shows the figures if it is time to.
    void show(const ProgressFigures& figures);
    /// Shows them now, and leaves the line standing.
    void finish(const ProgressFigures& figures);
    /// Takes the line away, for other text; the next show() draws it again.
    void clear();

private:
    void draw(const ProgressFigures& figures);

    std::FILE* m_stream;
    int m_columns;
    const Clock& m_clock;
    SteadyTime m_next{};
    std::chrono::milliseconds m_interval;
    bool m_drawn = false;
};

} // namespace tasuki
