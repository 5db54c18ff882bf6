// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ids.h"

#include <initializer_list>
#include <memory>
#include <span>
#include <vector>

namespace tasuki {

/// Tasks that others come after together, as all that have one label: ascending, no duplicates,
/// not empty. Everybody who comes after them shares one object, which never changes.
using TaskGroup = std::vector<TaskId>;
using SharedGroup = std::shared_ptr<const TaskGroup>;

/// The tasks that must have succeeded before another one may start. Kept as groups, so that
/// thousands of tasks after thousands take the room of both, not of all pairs.
class Prerequisites {
public:
    Prerequisites() = default;
    /// One group of its own.
    Prerequisites(std::initializer_list<TaskId> ids);
    /// One group of its own. @param ids  in any order
    explicit Prerequisites(std::vector<TaskId> ids);
    /// @param groups  in any order, none of them null or empty
    explicit Prerequisites(std::vector<SharedGroup> groups);

    [[nodiscard]] bool empty() const { return m_groups.empty(); }
    /// By ascending first task.
    [[nodiscard]] std::span<const SharedGroup> groups() const { return m_groups; }
    /// @return all tasks, ascending, no duplicates; takes as long as there are tasks
    [[nodiscard]] std::vector<TaskId> ids() const;

    /// Whether the tasks are the same, however they are grouped.
    bool operator==(const Prerequisites& other) const;

private:
    std::vector<SharedGroup> m_groups;
};

} // namespace tasuki
