// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runhistory.h"
#include "topfigures.h"

#include "domain/clock.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tasuki {

/// What `top` lists below its head.
enum class TopPane : std::uint8_t { Ranks, Tasks, Failures, Alarms };

/// How a line is to be painted.
enum class TopStyle : std::uint8_t { Plain, Title, Good, Warning, Bad };

struct TopLine {
    std::string text; ///< printable ASCII or UTF-8, no control characters
    TopStyle style = TopStyle::Plain;
    bool operator==(const TopLine&) const = default;
};

/// What is shown and how.
struct TopView {
    TopPane pane = TopPane::Ranks;
    std::size_t scroll = 0; ///< lines of the list above the first that is shown
};

/// Where the figures come from, in words.
struct TopSource {
    std::string name;    ///< of the run, as given
    std::string state;   ///< "running", "connection lost: ...", "ended"
    bool living = false; ///< figures change
};

/// The whole screen: a head, the list of the pane, and the keys. Pure: the same for the same input.
class TopScreen {
public:
    /// @param history, figures  of the same events
    TopScreen(const RunHistory& history, const TopFigures& figures, WallTime now)
        : m_history(history), m_figures(figures), m_now(now)
    {}

    /// @param columns  no line is longer
    /// @param rows     at least 5; 0: as many as there are
    [[nodiscard]] std::vector<TopLine> draw(const TopSource& source, const TopView& view,
                                            std::size_t columns, std::size_t rows) const;
    /// Lines of a pane's list, without its title.
    [[nodiscard]] std::size_t listed(TopPane pane) const;

private:
    [[nodiscard]] std::vector<TopLine> head(const TopSource& source, std::size_t columns) const;
    [[nodiscard]] std::vector<TopLine> list(TopPane pane, std::size_t from,
                                            std::size_t count) const;
    [[nodiscard]] TopLine title(const TopView& view, std::size_t shown) const;
    [[nodiscard]] TopLine rank(Rank rank) const;
    [[nodiscard]] std::string program(Rank rank) const;
    [[nodiscard]] TopLine task(TaskId id, const TopFigures::Running& running) const;
    [[nodiscard]] TopLine failure(const TopFigures::Failure& failure) const;
    [[nodiscard]] TopLine alarm(const Alarm& alarm) const;

    [[nodiscard]] WallTime begin() const { return m_figures.openedAt().value_or(WallTime{}); }

    const RunHistory& m_history;
    const TopFigures& m_figures;
    WallTime m_now;
};

} // namespace tasuki
