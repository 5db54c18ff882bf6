// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <vector>

namespace tasuki {

/// Which rows of a list stand in the columns of a chart that has no room for all.
struct ChartWindow {
    static constexpr int mostColumns = 60;
    static constexpr int gap = -1; ///< in place of a row: some are left out here

    int rows = 0;
    int worst = -1;   ///< row that is always in sight; -1: there is none
    int capacity = 1; ///< columns that there is room for; from 4 on, worst stays in sight
    int first = 0;    ///< row in the first column

    [[nodiscard]] bool isPartial() const { return rows > capacity; }
    /// The largest value for `first`.
    [[nodiscard]] int lastFirst() const;
    /// How many rows follow each other, the worst one apart not counted.
    [[nodiscard]] int shown() const;
    /// The row in each column.
    [[nodiscard]] std::vector<int> columns() const;
    /// Moves as little as is needed to have a row in sight.
    void bringIntoSight(int row);

private:
    [[nodiscard]] bool worstApart() const;
};

} // namespace tasuki
