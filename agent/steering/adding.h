// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "liverun.h"

#include "domain/command.h"
#include "tasklist/listpieces.h"

#include <boost/asio/steady_timer.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tasuki::steering {

/// Adds the tasks of a list that arrives bit by bit, a piece at a time: so what comes after one that is refused is not
/// added. Nothing is asked for that was not answered before.
class Adding {
public:
    struct Hooks {
        std::function<void(const AddedTasks&)> added; ///< a piece is in the record
        /// There is room for more of the list. Not called before feed() or finish().
        std::function<void()> more;
    };

    /// @param run   has joined; outlives this object
    /// @param name  how the list is called in diagnostics
    Adding(LiveRun& run, std::string name, Hooks hooks);

    /// Takes a part of the list. `more` follows, when there is room.
    void feed(std::string_view bytes);
    /// The list is at its end.
    void finish();

    /// Nothing is left to do: all is added, or something was refused or has failed.
    [[nodiscard]] bool done() const;
    [[nodiscard]] std::uint64_t count() const { return m_count; }
    /// Something was added, and the agent, an older one, does not say what.
    [[nodiscard]] bool unnamed() const { return m_unnamed; }
    /// First and last of the new tasks, by stretches.
    [[nodiscard]] const std::vector<std::pair<TaskId, TaskId>>& ranges() const { return m_ranges; }
    /// Why a piece was not added; none: all were.
    [[nodiscard]] const std::optional<CommandAnswer>& refusal() const { return m_refusal; }
    /// Why there was no answer: then the last piece may have been added. None: there was one.
    [[nodiscard]] const std::optional<Error>& failure() const { return m_failure; }

private:
    void pump();
    void send();
    void answered(const Result<CommandAnswer>& answer);
    void note(const AddedTasks& added);

    LiveRun& m_run;
    std::string m_name;
    Hooks m_hooks;
    ListPieces m_pieces;
    boost::asio::steady_timer m_quiet;
    bool m_isQuiet = false; ///< nothing has come for a while
    bool m_underWay = false;
    bool m_finished = false;
    bool m_wantsMore = false; ///< it was not asked for yet
    bool m_unnamed = false;
    std::uint64_t m_count = 0;
    std::vector<std::pair<TaskId, TaskId>> m_ranges;
    std::optional<CommandAnswer> m_refusal;
    std::optional<Error> m_failure;
};

/// @return words as a line of a task list that the shell splits into the same words
/// @return an Error of kind Input for a word that no line can hold
Result<std::string> shellLine(const std::vector<std::string>& words);

} // namespace tasuki::steering
