// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runhistory.h"

#include "domain/event.h"

#include <string>

/// The texts of `show`. Every function gives one or more whole lines.
namespace tasuki {

/// For people: id, line, state, attempts, run time, rank, end, command.
/// @param system  whose ranks stand there
std::string taskTableHeading(const SystemState& system);
std::string taskTableRow(const RunHistory& history, TaskId id);

/// One JSON object. Bytes of commands that are not UTF-8 become U+FFFD.
std::string taskJson(const RunHistory& history, TaskId id);

/// The joblog of GNU Parallel: one row for each attempt that ended, in the order of their ends.
std::string joblogHeading();
std::string joblogRow(const RunHistory& history, const AttemptSummary& attempt);

/// One attempt, for people.
std::string attemptDetails(const RunHistory& history, const AttemptSummary& attempt);

/// One event for people, and as JSON object.
/// @param system  after the event: has the names of processors and seats
std::string eventLine(const Event& event, const SystemState& system = {});
std::string eventJson(const Event& event);
/// The words of eventLine() without id, time and kind.
std::string eventText(const Event& event, const SystemState& system);

/// What the whole run came to, for people.
std::string runSummary(const RunHistory& history);

} // namespace tasuki
