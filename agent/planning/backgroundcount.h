// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "plan/allocationcount.h"
#include "plan/environment.h"

#include <chrono>
#include <cstdint>
#include <future>
#include <memory>
#include <optional>
#include <thread>

namespace tasuki::planning {

/// Counts the allocations in a thread of its own, which its end stops.
class BackgroundCount {
public:
    BackgroundCount(std::shared_ptr<const plan::Environment> environment, std::uint32_t tasks);

    /// @return the count, if it is there or comes in time
    [[nodiscard]] std::optional<plan::AllocationCount> within(std::chrono::milliseconds time);

private:
    std::optional<plan::AllocationCount> m_known;
    std::future<std::optional<plan::AllocationCount>> m_coming;
    std::jthread m_thread;
};

} // namespace tasuki::planning
