// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "restartterms.h"

#include <optional>
#include <string>
#include <string_view>

namespace tasuki {

/// Begins every report: it may stand behind a line that somebody has not ended.
inline constexpr char reportSign = '\x1E';

/// How rank 0 tells `launch` its exit code although mpirun returns another: a line on standard
/// error that holds a word only the two know. It passes through mpirun from any host.
///
/// @param token  from the environment variable exitReportTokenVariable
std::string exitReportLine(std::string_view token, int exitCode);

/// @param line  without its end; text before the report is allowed (mpirun may tag lines)
/// @return the exit code when the line is a report with this token
std::optional<int> parseExitReport(std::string_view line, std::string_view token);

/// The same of a leader that was given up, with the exit code that the run has unless somebody else
/// goes on with it; and what a successor says now and then, so that `launch` knows that it does.
std::string givenUpLine(std::string_view token, int exitCode);
std::string goingOnLine(std::string_view token);
std::optional<int> parseGivenUp(std::string_view line, std::string_view token);
bool isGoingOn(std::string_view line, std::string_view token);

/// How rank 0 tells `launch` that it has begun to record, and where, in the same way.
std::string recordingLine(std::string_view token, std::string_view runFile);
/// @return the run file; none: the line tells of none
std::optional<std::string> parseRecording(std::string_view line, std::string_view token);

/// How rank 0 tells `launch` on which terms the run may be started again, in the same way.
///
/// @param terms  hold instead of what was told before
std::string restartTermsLine(std::string_view token, const RestartTerms& terms);

/// @return the terms when the line tells them with this token
std::optional<RestartTerms> parseRestartTerms(std::string_view line, std::string_view token);

} // namespace tasuki
