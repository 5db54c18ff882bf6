// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ids.h"
#include "prerequisites.h"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace tasuki {

/// Why an attempt did not succeed, as far as retries tell the difference. Indexes RetryBudget.
enum class RetryCause : std::uint8_t { Exit, Signal, Timeout, ProcessorLost };
inline constexpr std::size_t retryCauseCount = 4;

/// How often a task may be tried again, by cause. The causes are counted apart.
struct RetryBudget {
    std::array<std::uint16_t, retryCauseCount> allowed{0, 0, 0, 3};

    [[nodiscard]] std::uint16_t of(RetryCause cause) const
    {
        return allowed[static_cast<std::size_t>(cause)];
    }
    bool operator==(const RetryBudget&) const = default;
};

/// A signal by which a task is warned that its run will end before it does.
struct EndWarning {
    int signalNumber = 0;
    std::chrono::milliseconds before{}; ///< the end
    bool operator==(const EndWarning&) const = default;
};

/// Whose program a task is: it runs on the holder of this rank alone, and at the same time as those of the other ranks of
/// its world.
struct WorldSeat {
    std::uint32_t world = 0; ///< number in the run, from 0
    Rank rank;
    /// So much of its messages is kept, in MiB, that another processor can go on in its place; 0: nothing is.
    std::uint32_t logMb = 0;
    auto operator<=>(const WorldSeat&) const = default;
};

/// What holds for a task besides its command. Many tasks share one object; it never changes.
struct TaskSettings {
    RetryBudget retries;
    /// Longest run time of an attempt; none: no limit.
    std::optional<std::chrono::milliseconds> timeout;
    /// What an attempt takes, as declared: it is not begun when less time is left; none: to be learnt.
    std::optional<std::chrono::milliseconds> expectedTime = {};
    std::optional<EndWarning> warning = {}; ///< none: it is not warned
    /// Working directory; empty: the directory in which the run was started.
    std::string workingDirectory;
    /// Variables added to the environment, in the order written; a later one wins.
    std::vector<std::pair<std::string, std::string>> environment;
    std::optional<WorldSeat> seat = {}; ///< none: it may run anywhere

    bool operator==(const TaskSettings&) const = default;
};

/// How a task stands to others. Only tasks that have a label or prerequisites own one.
struct TaskLinks {
    std::string label;
    Prerequisites after;

    bool operator==(const TaskLinks&) const = default;
};

/// One command line of a task list and everything that was written about it.
struct Task {
    std::string command;
    std::shared_ptr<const TaskSettings> settings; ///< never null
    std::shared_ptr<const TaskLinks> links;       ///< null: neither label nor prerequisites
    std::uint32_t stage = 0;                      ///< number of barriers above it
    std::uint32_t position = 0; ///< place in the list, from 0: the order in which tasks start
    std::uint64_t line = 0;     ///< line in the list where the command begins, from 1; 0: no list

    /// Same content: everything but identity of the shared parts.
    bool operator==(const Task& other) const;
};

/// @return the groups that a task comes after, as long as it lives
inline std::span<const SharedGroup> prerequisitesOf(const Task& task)
{
    return task.links ? task.links->after.groups() : std::span<const SharedGroup>();
}

} // namespace tasuki
