// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace tasuki {

/// A task of which only the beginning of the command came.
struct ShortCommand {
    TaskId task;
    std::uint64_t bytes = 0; ///< of the whole command
    bool operator==(const ShortCommand&) const = default;
};

/// Events in their order, none left out.
struct EventBatch {
    std::vector<Event> events;
    std::vector<ShortCommand> shortened; ///< of TaskAdded and TaskChanged among the events
};
using SharedBatch = std::shared_ptr<const EventBatch>;

} // namespace tasuki
