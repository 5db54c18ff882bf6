// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <utility>

namespace tasuki {

/// Where the rows of lanes are in a height of pixels, below the axis. Arithmetic only.
struct LaneLayout {
    static constexpr int lowestRow = 6;
    static constexpr int highestRow = 28;

    std::size_t lanes = 0;
    int height = 0;           ///< that is there for rows
    int scroll = 0;           ///< pixels above that are out of sight
    int tallest = highestRow; ///< where there is room; at least lowestRow

    [[nodiscard]] int rowHeight() const
    {
        if (lanes == 0)
            return tallest;
        const auto share = static_cast<std::size_t>(std::max(0, height)) / lanes;
        return std::clamp(static_cast<int>(share), lowestRow, tallest);
    }
    [[nodiscard]] int contentHeight() const { return static_cast<int>(lanes) * rowHeight(); }
    [[nodiscard]] int largestScroll() const { return std::max(0, contentHeight() - height); }
    /// @return the top of a row, from the top of all rows' place
    [[nodiscard]] int yOf(std::size_t row) const
    {
        return static_cast<int>(row) * rowHeight() - scroll;
    }
    /// @return how far to scroll for a row to be wholly in sight, and no farther than it takes
    [[nodiscard]] int scrollTo(std::size_t row) const
    {
        const int top = yOf(row);
        const int below = top + rowHeight() - height;
        return top < 0 ? scroll + top : scroll + std::max(0, below);
    }
    [[nodiscard]] std::optional<std::size_t> rowAt(int y) const
    {
        if (y < 0 || y >= height || y + scroll < 0)
            return std::nullopt;
        const auto row = static_cast<std::size_t>((y + scroll) / rowHeight());
        return row < lanes ? std::optional(row) : std::nullopt;
    }
    /// @return the first row that is seen, and the one after the last
    [[nodiscard]] std::pair<std::size_t, std::size_t> visibleRows() const
    {
        const int step = rowHeight();
        const auto first = static_cast<std::size_t>(std::max(0, scroll) / step);
        const auto last = static_cast<std::size_t>(
            std::max(0, std::max(0, scroll) + height + step - 1) / step);
        return {std::min(first, lanes), std::min(last, lanes)};
    }
};

} // namespace tasuki
