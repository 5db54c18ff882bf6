// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"
#include "domain/outputfetch.h"

#include <map>
#include <span>

namespace tasuki {

/// How much of the output of tasks that run is printed, as the processor that prints it has told: who goes on with that prints
/// nothing twice.
class PrintedBook {
public:
    void take(std::span<const PrintedOutput> outputs)
    {
        for (const PrintedOutput& one : outputs) {
            if (one.over)
                m_outputs.erase(one.key.task);
            else
                m_outputs[one.key.task] = one;
        }
    }
    /// @return null: nothing is known of the task
    [[nodiscard]] const PrintedOutput* find(TaskId task) const
    {
        const auto found = m_outputs.find(task);
        return found == m_outputs.end() ? nullptr : &found->second;
    }
    [[nodiscard]] const std::map<TaskId, PrintedOutput>& outputs() const { return m_outputs; }

private:
    std::map<TaskId, PrintedOutput> m_outputs; ///< of the latest attempt of each
};

} // namespace tasuki
