// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "columnsummary.h"
#include "timelinepalette.h"

#include <QPainter>
#include <QRect>

#include <cstdint>
#include <span>
#include <vector>

namespace tasuki {

/// What a lane looks like, one pixel a column: the colour of its bar and where failures are marked.
class LanePixels {
public:
    /// @param ground  the background, as long as the columns
    void make(std::span<const ColumnSummary> columns, std::span<const QRgb> ground,
              const TimelinePalette& palette);

    [[nodiscard]] const std::vector<QRgb>& bar() const { return m_bar; }
    /// Whether anything is in a column.
    [[nodiscard]] bool isBusy(std::size_t column) const { return m_busy[column] != 0; }
    /// Whether a column has a failure.
    [[nodiscard]] const std::vector<std::uint8_t>& failures() const { return m_failures; }
    [[nodiscard]] bool hasFailures() const { return m_hasFailures; }

private:
    void separate(std::span<const ColumnSummary> columns, std::span<const QRgb> ground);

    std::vector<QRgb> m_bar;
    std::vector<std::uint8_t> m_busy;
    std::vector<std::uint8_t> m_failures;
    bool m_hasFailures = false;
};

/// Fills rectangles of one colour each. @param rect  of all columns
void fillRuns(QPainter& painter, const QRect& rect, std::span<const QRgb> columns);

/// Half of how much wider a failure's mark is than the failure, on a line of the mark: it is a
/// tooth that points up.
/// @param line  0 at the top
constexpr int markSpread(int line) { return (line + 1) / 2; }

} // namespace tasuki
