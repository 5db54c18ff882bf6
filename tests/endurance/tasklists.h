// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

namespace tasuki::testing {

/// One task of the endurance run: leaves lines in a file of its own.
struct TracedTask {
    int number = 0;
    int version = 1; ///< a changed task is the same number with another version

    /// @return the command: adds "NUMBER VERSION PID EPOCH ATTEMPT" to the task's file; every other
    ///         task also detaches a process that would add "late EPOCH NANOSECONDS" 3 s later
    [[nodiscard]] std::string command() const;
    /// @return the name of its file, below the farm's directory
    [[nodiscard]] std::string file() const;
};

/// A line that a task has left.
struct Trace {
    bool late = false;
    int version = 0;
    std::uint32_t epoch = 0;
    std::int64_t nanoseconds = 0; ///< of late lines: time of day
};

void writeList(const std::filesystem::path& file, const std::vector<TracedTask>& tasks);

/// @return the lines that a task has left in the directory; throws std::runtime_error for a line
///         that no task writes
std::vector<Trace> tracesOf(const std::filesystem::path& directory, const TracedTask& task);

/// What became of a list in an editor.
struct Edit {
    std::vector<TracedTask> tasks;   ///< the new list
    std::vector<TracedTask> toBeRun; ///< those of it that are new or changed
};

/// Takes tasks out, changes some, adds some, and shuffles all.
Edit edited(const std::vector<TracedTask>& tasks, std::mt19937_64& random);

} // namespace tasuki::testing
