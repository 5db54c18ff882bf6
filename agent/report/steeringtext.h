// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "taskreason.h"

#include "domain/command.h"
#include "domain/ids.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

/// What commands that steer a run print: for people, and as a line of JSON.
namespace tasuki {

/// What became of a command about tasks.
struct OrderResult {
    std::string verb;          ///< "cancel"
    std::vector<TaskId> tasks; ///< that it was about
    CommandAnswer answer;
};

/// @return one line: what was done, to how many; empty when it was refused
std::string orderText(const OrderResult& result);
/// @return a line for each thing that was not done, for standard error
std::string orderProblems(const OrderResult& result);
std::string orderJson(const OrderResult& result);

std::string reasonLine(TaskId id, const TaskReason& reason);
std::string reasonJson(TaskId id, const TaskReason& reason);

/// New tasks: first and last of each stretch of ids, ascending.
using TaskRanges = std::vector<std::pair<TaskId, TaskId>>;
std::string addedText(std::uint64_t count, const TaskRanges& ranges);
std::string addedJson(std::uint64_t count, const TaskRanges& ranges);

/// A task that has ended.
std::string endJson(TaskId id, TaskState state, int exitCode);

/// How waiting for tasks has ended.
struct WaitFigures {
    std::size_t tasks = 0;
    std::size_t ended = 0;
    std::size_t unsuccessful = 0; ///< of those that have ended
};
/// @return one line without an end, for a terminal: how many have ended
std::string waitText(const WaitFigures& figures);
/// @param end  "done", "run over", "time out" or "lost"
std::string waitJson(const WaitFigures& figures, const std::string& end, int exitCode);

} // namespace tasuki
