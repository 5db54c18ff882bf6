// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/task.h"

#include <chrono>
#include <optional>

namespace tasuki {

/// What holds for tasks where the list says nothing: the settings of the command line.
struct TaskListDefaults {
    RetryBudget retries;
    std::optional<std::chrono::milliseconds> timeout; ///< none: no limit

    /// @return the settings of a task above which no directive stands
    [[nodiscard]] TaskSettings settings() const
    {
        TaskSettings settings;
        settings.retries = retries;
        settings.timeout = timeout;
        return settings;
    }
};

} // namespace tasuki
