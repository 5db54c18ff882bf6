// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/topology.h"

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

namespace tasuki {

/// What holds for the whole system.
struct SystemSettings {
    std::chrono::milliseconds heartbeat{0};
    std::uint32_t suspectAfter = 0;
    std::uint32_t lostAfter = 0;
    DownPolicy policy = DownPolicy::Restart;
    bool rejoin = true;
    bool operator==(const SystemSettings&) const = default;
};
SystemSettings settingsOf(const config::Topology& topology);
void setSettings(config::Topology& topology, const SystemSettings& settings);

/// Values of a topology before and after an edit that leaves its subclusters where they are.
struct TopologyEdit {
    struct SubclusterValues {
        std::size_t subcluster = 0;
        config::SubclusterSpec before;
        config::SubclusterSpec after;
    };
    struct SystemValues {
        SystemSettings before;
        SystemSettings after;
    };
    /// Says which cell was edited, if it was a single one: its row, or none, and its field.
    using Cell = std::array<std::size_t, 2>;

    std::vector<SubclusterValues> subclusters; ///< ascending, each once
    std::optional<SystemValues> system;
    std::optional<Cell> cell;

    /// Whether before and after are the same.
    [[nodiscard]] bool isVoid() const;
    /// Takes over the values after a later edit of the same cell.
    /// @return whether it is of the same cell; else nothing is done
    bool absorb(const TopologyEdit& later);
};

} // namespace tasuki
