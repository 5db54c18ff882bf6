// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::farm {

/// Stages of a list: each begins when all tasks of the earlier ones are done, and stays begun.
class Stages {
public:
    /// There is such a stage.
    void add(std::uint32_t stage);
    /// A task of a stage is to be done.
    void open(std::uint32_t stage);
    /// It is done.
    void close(std::uint32_t stage);
    [[nodiscard]] bool hasBegun(std::uint32_t stage) const { return stage <= m_current; }
    /// A task waits for nothing but its stage, which has not begun.
    void defer(std::uint32_t stage, TaskId id) { m_deferred[stage].push_back(id); }
    /// Begins what can be begun. @return tasks that have waited for that
    std::vector<TaskId> advance();

private:
    std::vector<std::size_t> m_open;             ///< tasks that are to be done, by stage
    std::vector<std::vector<TaskId>> m_deferred; ///< by stage
    std::size_t m_openBegun = 0;                 ///< of the stages that have begun
    std::uint32_t m_current = 0;
};

} // namespace tasuki::farm
