// SPDX-License-Identifier: GPL-3.0-or-later
#include "chartwindow.h"

#include <algorithm>
#include <numeric>

namespace tasuki {

namespace {

/// The gap and the worst row.
constexpr int columnsApart = 2;
constexpr int leastForApart = 4;

} // namespace

bool ChartWindow::worstApart() const
{
    if (!isPartial() || worst < 0 || capacity < leastForApart)
        return false;
    return worst < first || worst >= first + capacity;
}

int ChartWindow::lastFirst() const
{
    if (!isPartial())
        return 0;
    ChartWindow last = *this;
    last.first = rows - capacity;
    return last.first + (last.worstApart() ? columnsApart : 0);
}

int ChartWindow::shown() const
{
    return std::min(capacity - (worstApart() ? columnsApart : 0), rows - first);
}

std::vector<int> ChartWindow::columns() const
{
    std::vector<int> result(static_cast<std::size_t>(shown()));
    std::iota(result.begin(), result.end(), first);
    if (worstApart()) {
        result.push_back(gap);
        result.push_back(worst);
    }
    return result;
}

void ChartWindow::bringIntoSight(int row)
{
    if (row < 0 || row == worst)
        return;
    if (row < first)
        first = row;
    else if (row >= first + shown())
        first = row - capacity + (worst >= 0 && capacity >= leastForApart ? columnsApart : 0) + 1;
    first = std::clamp(first, 0, lastFirst());
}

} // namespace tasuki
