// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/prerequisites.h"

#include <cstdint>
#include <optional>
#include <span>
#include <unordered_map>
#include <vector>

namespace tasuki::farm {

/// A group of tasks and who comes after it: shut while one of the group is not done.
struct Gate {
    SharedGroup group;
    std::vector<TaskId> dependents;
    std::uint32_t undone = 0;      ///< of the group
    std::uint32_t failed = 0;      ///< of the group: done, without success
    std::optional<TaskId> blame{}; ///< one of the failed; may be out of date
    bool counted = false;          ///< undone and failed hold
    bool spent = false;            ///< all dependents are done: nobody is left to skip

    [[nodiscard]] bool shut() const { return undone != 0; }
};

/// The prerequisites of all tasks: one gate for each group, however many come after it, so that
/// room and time grow with tasks and groups. One owner, one thread.
class Gates {
public:
    /// A task comes after a group, whose tasks may not be known yet.
    /// @return the gate of that group
    Gate& addDependent(const SharedGroup& group, TaskId dependent);
    /// Calls visit(Gate&) for each gate that has not been counted, which it then is.
    template <class Visit>
    void count(Visit visit)
    {
        for (; m_countedUpTo < m_gates.size(); ++m_countedUpTo) {
            visit(m_gates[m_countedUpTo]);
            m_gates[m_countedUpTo].counted = true;
        }
    }
    /// Calls visit(Gate&) for each gate whose group a task is in. It must not add dependents.
    template <class Visit>
    void visitOf(TaskId member, Visit visit)
    {
        visitEach(m_byMember, member, visit);
    }
    /// The same for each gate that a task comes after.
    template <class Visit>
    void visitBefore(TaskId dependent, Visit visit)
    {
        visitEach(m_byDependent, dependent, visit);
    }

private:
    using ByTask = std::unordered_map<std::uint32_t, std::vector<std::uint32_t>>;

    template <class Visit>
    void visitEach(const ByTask& gates, TaskId task, Visit& visit)
    {
        const auto found = gates.find(task.value());
        if (found == gates.end())
            return;
        for (const std::uint32_t gate : found->second)
            visit(m_gates[gate]);
    }

    std::vector<Gate> m_gates;
    std::size_t m_countedUpTo = 0;
    /// The gate holds the group, so that no address is used twice.
    std::unordered_map<const TaskGroup*, std::uint32_t> m_byGroup;
    ByTask m_byMember;
    ByTask m_byDependent;
};

} // namespace tasuki::farm
