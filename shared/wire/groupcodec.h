// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/prerequisites.h"
#include "domain/result.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace tasuki::wire::link {
class TaskGroup;
class TaskLinks;
} // namespace tasuki::wire::link

namespace tasuki::link {

/// Groups of tasks of one message, by their index in it.
using GroupTable = std::vector<SharedGroup>;
/// Gives a group its index.
using GroupIndex = std::function<std::uint32_t(const SharedGroup&)>;

/// More tasks in the groups of one message are refused.
inline constexpr std::uint64_t mostGroupedTasks = 1U << 26U;

/// Writes a group as runs of equal differences: labels that lie in a list one after the other, or
/// in turns, take a few numbers.
void encodeGroup(const TaskGroup& group, wire::link::TaskGroup& out);
/// @return an Error of kind Protocol for runs that do not ascend, that have no task, or more than `most`
Result<TaskGroup> decodeGroup(const wire::link::TaskGroup& message, std::uint64_t most);

/// @param index  null: every task is written out
void encodePrerequisites(const Prerequisites& after, const GroupIndex& index,
                         wire::link::TaskLinks& out);
/// @return an Error of kind Protocol for a group that was not sent
Result<Prerequisites> decodePrerequisites(const wire::link::TaskLinks& message,
                                          const GroupTable& groups);

} // namespace tasuki::link
