// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "restartterms.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace tasuki {

/// Passes on what comes from mpirun's standard error, except for what rank 0 reports and for lines in
/// which Open MPI reports faults that Tasuki tells of itself. Lines that are still being written
/// (progress) pass at once.
class StderrFilter {
public:
    explicit StderrFilter(std::string token) : m_token(std::move(token)) {}

    /// @return what to print now
    std::string take(std::string_view chunk);
    /// The stream has ended. @return what is left to print
    std::string finish();
    /// The code that rank 0 reported, once it has.
    [[nodiscard]] std::optional<int> exitCode() const { return m_exitCode; }
    /// The code that a leader reported who was given up, once one has.
    [[nodiscard]] std::optional<int> givenUpCode() const { return m_givenUpCode; }
    /// How often a successor has said that it goes on.
    [[nodiscard]] std::size_t signsOfGoingOn() const { return m_signsOfGoingOn; }
    /// On which terms the run may be started again, as rank 0 told last, once it has.
    [[nodiscard]] const std::optional<RestartTerms>& restartTerms() const { return m_restartTerms; }
    /// The run file in which rank 0 has begun to record, once it has.
    [[nodiscard]] const std::optional<std::string>& runFile() const { return m_runFile; }
    /// Whether mpirun said that it does not run as root.
    [[nodiscard]] bool rootRefused() const { return m_rootRefused; }

private:
    std::optional<std::size_t> endOfLine(std::string_view chunk);
    [[nodiscard]] bool mayBeFiltered(std::string_view beginning) const;
    bool filterLine(std::string_view line);
    void lookForRefusal(std::string_view chunk);

    std::string m_token;
    std::string m_held;     ///< beginning of a line that may have to be dropped
    bool m_passing = false; ///< the beginning of the current line has been printed
    std::string m_lineTail; ///< what the end of a progress line may have begun in
    std::optional<int> m_exitCode;
    std::optional<int> m_givenUpCode;
    std::size_t m_signsOfGoingOn = 0;
    std::optional<RestartTerms> m_restartTerms;
    std::optional<std::string> m_runFile;
    std::string m_tail; ///< what a refusal may have begun in
    bool m_rootRefused = false;
};

} // namespace tasuki
