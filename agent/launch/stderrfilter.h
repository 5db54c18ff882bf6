// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace tasuki {

/// Passes on what comes from mpirun's standard error, except for the exit report and for lines in
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
    /// Whether mpirun said that it does not run as root.
    [[nodiscard]] bool rootRefused() const { return m_rootRefused; }

private:
    [[nodiscard]] bool mayBeFiltered(std::string_view beginning) const;
    bool filterLine(std::string_view line);
    void lookForRefusal(std::string_view chunk);

    std::string m_token;
    std::string m_held;     ///< beginning of a line that may have to be dropped
    bool m_passing = false; ///< the beginning of the current line has been printed
    std::optional<int> m_exitCode;
    std::string m_tail; ///< what a refusal may have begun in
    bool m_rootRefused = false;
};

} // namespace tasuki
