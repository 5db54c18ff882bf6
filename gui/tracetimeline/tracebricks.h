// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/lanelayout.h"
#include "tracestore.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki {

/// Where the parts of a row are, in lines of device pixels from the top of the rows' place.
struct TraceRowLines {
    int top = 0;
    int barTop = 0;
    int barEnd = 0;
    int end = 0;

    static TraceRowLines of(const LaneLayout& layout, std::size_t row, double ratio);
    /// @param layer  states deep in others are lower, until hardly anything would be left
    /// @return the lines of the bar of a layer
    [[nodiscard]] TraceRowLines inset(std::size_t layer, double ratio) const;
};

/// A rectangle in one colour, or hatched. Device pixels, half-open.
struct TraceBrick {
    int left = 0;
    int top = 0;
    int right = 0;
    int bottom = 0;
    TraceCategory category = TraceCategories::idle;
    bool isEdge = false; ///< the line where a span begins
};

/// A call or state that is wide enough for its name.
struct TraceNamePlace {
    std::uint32_t span = 0;
    int left = 0; ///< device pixels, likewise
    int right = 0;
    int top = 0;
    int bottom = 0;
    TraceCategory category = TraceCategories::idle;
};

/// Turns what tasks do in a window of time into rectangles: one for each span where there are few,
/// and where there are many a stack for each column of pixels, every category with its part of the
/// height.
class TraceBricks {
public:
    /// @param width     of the rows' place in device pixels: the columns of the window
    /// @param ratio     device pixels to a logical pixel
    TraceBricks(const TraceStore& store, const TimeWindow& window, int width, double ratio);

    /// Adds what is to be seen of a task.
    void addRow(std::uint32_t task, const TraceRowLines& lines);

    [[nodiscard]] const std::vector<TraceBrick>& bricks() const { return m_bricks; }
    [[nodiscard]] const std::vector<TraceNamePlace>& names() const { return m_names; }

    /// Heights of the categories of a column, from the bottom up: every one that is there is seen
    /// if there is room.
    /// @param height   of the stack in pixels
    /// @param heights  [category], overwritten; the sum is the height
    static void stack(const TraceColumns::Column& column, int height, std::vector<int>& heights);

private:
    void addSpans(std::uint32_t task, const TraceRowLines& lines);
    void addLayer(std::uint32_t task, std::size_t layer, const TraceRowLines& lines,
                  std::size_t rowsNames);
    /// Of the names from `first` to `end`, those that something lies on end before it.
    void makeWay(std::size_t first, std::size_t end, int left, int right);
    void addGaps(std::uint32_t task, const TraceRowLines& lines);
    void addColumns(std::uint32_t task, const TraceRowLines& lines);
    void addStack(const TraceColumns::Column& column, int x, const TraceRowLines& lines);
    void addNamesOfColumns(std::uint32_t task, const TraceRowLines& lines);
    void addBrick(const TraceBrick& brick);
    [[nodiscard]] int xOf(Nanoseconds time) const;

    const TraceStore& m_store;
    TimeWindow m_window;
    int m_width;
    double m_ratio;
    std::vector<TraceBrick> m_bricks;
    std::vector<TraceNamePlace> m_names;
    TraceColumns m_columns;
    std::vector<int> m_heights;
};

} // namespace tasuki
