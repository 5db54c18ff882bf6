// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "environmentfield.h"
#include "nodeexcerpt.h"

#include <array>
#include <optional>
#include <vector>

namespace tasuki {

/// Values of an environment before and after an edit that leaves its nodes where they are.
struct EnvironmentEdit {
    struct NodeValues {
        std::uint32_t node = 0;
        plan::NodeSpec before;
        plan::NodeSpec after;
    };
    struct LinkValues {
        std::size_t index = 0; ///< in Environment::links
        std::optional<plan::LinkSpec> before;
        std::optional<plan::LinkSpec> after;
    };
    struct GeneralValues {
        GeneralSpec before;
        GeneralSpec after;
    };
    /// Says which cell was edited, if it was a single one: what kind, and where.
    using Cell = std::array<std::uint32_t, 4>;

    std::vector<NodeValues> nodes; ///< ascending, each once
    std::vector<LinkValues> links; ///< ascending, each once
    std::optional<GeneralValues> general;
    std::optional<Cell> cell;

    /// Whether before and after are the same.
    [[nodiscard]] bool isVoid() const;
    /// Takes over the values after a later edit of the same cell.
    /// @return whether it is of the same cell; else nothing is done
    bool absorb(const EnvironmentEdit& later);
};

} // namespace tasuki
