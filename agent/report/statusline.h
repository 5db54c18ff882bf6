// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <chrono>
#include <cstdio>
#include <functional>
#include <string>

namespace tasuki {

/// Shows how far something is on a stream: one line drawn over again on a terminal, a plain line now
/// and then elsewhere. Reactor's thread only.
class StatusLine {
public:
    /// @return the line for a terminal of so many columns, or for none when they are 0
    using Text = std::function<std::string(int columns)>;

    /// @param columns  of the terminal; 0: not a terminal
    StatusLine(std::FILE* stream, int columns, const Clock& clock);

    /// Shows the text if it is time to.
    void show(const Text& text);
    /// Shows it now, and leaves the line standing.
    void finish(const Text& text);
    /// Takes the line away, for other text; the next show() draws it again.
    void clear();

private:
    void draw(const Text& text);

    std::FILE* m_stream;
    int m_columns;
    const Clock& m_clock;
    SteadyTime m_next{};
    std::chrono::milliseconds m_interval;
    bool m_drawn = false;
};

} // namespace tasuki
