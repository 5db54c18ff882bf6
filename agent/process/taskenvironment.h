// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <string>
#include <utility>
#include <vector>

namespace tasuki::guardian {

/// The environment of one attempt. Uses the variables of the TaskEnvironment that made it.
class AttemptEnvironment {
public:
    AttemptEnvironment() = default;
    /// @param own     variables of this attempt alone
    /// @param shared  the others
    AttemptEnvironment(std::vector<std::string> own, std::vector<char*> shared);
    AttemptEnvironment(AttemptEnvironment&&) = default; // what points to m_own stays good
    AttemptEnvironment& operator=(AttemptEnvironment&&) = default;
    AttemptEnvironment(const AttemptEnvironment&) = delete;
    AttemptEnvironment& operator=(const AttemptEnvironment&) = delete;
    ~AttemptEnvironment() = default;

    /// @return null-terminated
    [[nodiscard]] char* const* block() const { return m_block.data(); }

private:
    std::vector<std::string> m_own;
    std::vector<char*> m_block;
};

/// The environment of the tasks that share settings, made once and used for each of them.
class TaskEnvironment {
public:
    /// @param inherited  the guardian's own environment, null-terminated; what marks the tasks of
    ///                   another run is left out
    /// @param added      by the task's settings; a later one wins. Names that mark a task's
    ///                   processes (TASUKI_RUN, ...) are ignored: cleaning up relies on them.
    TaskEnvironment(const char* const* inherited, const RunId& run, Epoch epoch, Rank rank,
                    const std::vector<std::pair<std::string, std::string>>& added);
    TaskEnvironment(const TaskEnvironment&) = delete;
    TaskEnvironment& operator=(const TaskEnvironment&) = delete;

    /// Must be outlived by this.
    /// @param output   the inodes of the pipes of its standard output and standard error: "1,2"; for a rank of
    ///                 a world
    /// @param channel  whether it has channelDescriptor
    [[nodiscard]] AttemptEnvironment forAttempt(AttemptKey key, SlotIndex slot,
                                                const std::string& output, bool channel = false);

private:
    std::vector<std::string> m_variables;
    bool m_ofWorld = false; ///< its programs are ranks of a world: they are told the pipes
};

} // namespace tasuki::guardian
