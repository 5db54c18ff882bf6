// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <array>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::guardian {

/// The environment of the tasks that share settings, made once and used for each of them.
class TaskEnvironment {
public:
    /// @param inherited  the guardian's own environment, null-terminated; variables of launchers
    ///                   are left out
    /// @param added      by the task's settings; a later one wins. Names that mark a task's
    ///                   processes (TASUKI_RUN, ...) are ignored: cleaning up relies on them.
    TaskEnvironment(const char* const* inherited, const RunId& run, Epoch epoch, Rank rank,
                    const std::vector<std::pair<std::string, std::string>>& added);
    TaskEnvironment(const TaskEnvironment&) = delete;
    TaskEnvironment& operator=(const TaskEnvironment&) = delete;

    /// @return a null-terminated block, valid until the next call
    char* const* forAttempt(AttemptKey key, SlotIndex slot);

private:
    static constexpr std::size_t perAttempt = 3;
    std::vector<std::string> m_variables; ///< the first ones change with each attempt
    std::vector<char*> m_block;
};

} // namespace tasuki::guardian
