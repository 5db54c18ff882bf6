// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/task.h"

#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

namespace tasuki::farm {

/// How long tasks take, by what they declare and by what their like have taken. A task's group is its
/// label, else the first word of its command. Pure logic.
class Forecast {
public:
    /// A task has succeeded within this time.
    void learn(const Task& task, std::chrono::microseconds elapsed);
    /// @return what the task declares, else what 95 % of the latest of its group have not exceeded, else the
    ///         same of all; none: nothing is known
    [[nodiscard]] std::optional<std::chrono::microseconds> of(const Task& task) const;

private:
    /// The latest run times of a group.
    class Sample {
    public:
        void add(std::chrono::microseconds elapsed);
        [[nodiscard]] std::chrono::microseconds percentile95() const;
        [[nodiscard]] bool empty() const { return m_times.empty(); }

    private:
        static constexpr std::size_t most = 100;

        std::vector<std::chrono::microseconds> m_times;
        std::size_t m_next = 0; ///< to be replaced, once there are that many
        mutable std::optional<std::chrono::microseconds> m_percentile; ///< none: to be worked out
    };

    std::unordered_map<std::string, Sample> m_groups;
    Sample m_all;
};

} // namespace tasuki::farm
