// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"

#include <chrono>
#include <cstdint>
#include <vector>

namespace tasuki {

/// The failure hierarchy of a made-up run, and what happens to it: two ranks are taken over, an
/// operator acknowledges an alarm and drains a processor, one is suspect, and a subcluster is down.
struct SampleSystem {
    static constexpr std::int32_t ranks = 8;
    static constexpr std::uint32_t acts = 3;

    struct Act {
        std::chrono::microseconds pause{}; ///< before it
        std::vector<EventPayload> before = {};
        std::vector<std::int32_t> lost = {};
        std::chrono::microseconds takes{};
        std::vector<EventPayload> after = {};
        std::vector<std::int32_t> taken = {}; ///< ranks that somebody else holds then
    };

    static SystemLaidOut layout();
    /// All are ready.
    static std::vector<EventPayload> begin();
    /// @return after how many tasks of a hundred an act comes
    static std::uint32_t when(std::uint32_t act);
    static Act act(std::uint32_t number, WallTime now);
};

} // namespace tasuki
