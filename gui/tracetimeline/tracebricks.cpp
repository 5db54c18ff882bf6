// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracebricks.h"

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

/// Logical pixels, but for those that say otherwise.
constexpr double columnsOfSpan = 3; ///< device pixels: below, columns tell more than spans
constexpr double narrowestName = 24;
constexpr int narrowestEdged = 5; ///< device pixels
constexpr double gapPart = 0.16;  ///< of a row, above and below the bar
constexpr double insetStep = 3;
constexpr double lowestBar = 4;
/// A column with so many begins of stretches or fewer shows the longest alone: edges stay sharp.
constexpr std::uint32_t sharpStarts = 1;

int toDevice(double logical, double ratio)
{
    return static_cast<int>(std::lround(logical * ratio));
}

} // namespace

TraceRowLines TraceRowLines::of(const LaneLayout& layout, std::size_t row, double ratio)
{
    TraceRowLines lines;
    const int step = layout.rowHeight();
    lines.top = toDevice(layout.yOf(row), ratio);
    lines.end = toDevice(layout.yOf(row) + step, ratio);
    const int gap = std::max(toDevice(1, ratio), toDevice(step * gapPart, ratio));
    lines.barTop = lines.top + gap;
    lines.barEnd = lines.end - gap;
    return lines;
}

TraceRowLines TraceRowLines::inset(std::size_t layer, double ratio) const
{
    TraceRowLines lines = *this;
    const int step = std::max(1, toDevice(insetStep, ratio));
    const int most = std::max(0, (barEnd - barTop - toDevice(lowestBar, ratio)) / 2);
    const int inset = static_cast<int>(
        std::min(layer * static_cast<std::size_t>(step), static_cast<std::size_t>(most)));
    lines.barTop += inset;
    lines.barEnd -= inset;
    return lines;
}

TraceBricks::TraceBricks(const TraceStore& store, const TimeWindow& window, int width, double ratio)
    : m_store(store), m_window(window), m_width(std::max(1, width)), m_ratio(ratio)
{}

int TraceBricks::xOf(Nanoseconds time) const
{
    const double x = static_cast<double>(time - m_window.begin) / static_cast<double>(m_window.span)
        * m_width;
    return static_cast<int>(std::lround(std::clamp(x, -1.0, m_width + 1.0)));
}

void TraceBricks::addBrick(const TraceBrick& brick)
{
    TraceBrick inside = brick;
    inside.left = std::max(0, brick.left);
    inside.right = std::min(m_width, brick.right);
    if (inside.left < inside.right && inside.top < inside.bottom
        && inside.category != TraceCategories::idle)
        m_bricks.push_back(inside);
}

void TraceBricks::addRow(std::uint32_t task, const TraceRowLines& lines)
{
    const auto count = static_cast<double>(m_store.spansIn(task, m_window.begin, m_window.end()));
    if (count * columnsOfSpan <= m_width)
        addSpans(task, lines);
    else
        addColumns(task, lines);
}

void TraceBricks::addSpans(std::uint32_t task, const TraceRowLines& lines)
{
    if (m_store.gapsAreComputation())
        addGaps(task, lines);
    const std::size_t rowsNames = m_names.size();
    for (std::size_t layer = 0; layer < m_store.layers(task); ++layer)
        addLayer(task, layer, lines.inset(layer, m_ratio), rowsNames);
    const double least = narrowestName * m_ratio;
    const auto narrow = [least](const TraceNamePlace& place) {
        return place.right - place.left < least;
    };
    const auto from = m_names.begin() + static_cast<std::ptrdiff_t>(rowsNames);
    m_names.erase(std::remove_if(from, m_names.end(), narrow), m_names.end());
}

void TraceBricks::makeWay(std::size_t first, std::size_t end, int left, int right)
{
    for (std::size_t i = first; i < end; ++i) {
        if (left < m_names[i].right && right > m_names[i].left)
            m_names[i].right = left;
    }
}

/// Computation lies under the calls, from the log's zero to the task's last call.
void TraceBricks::addGaps(std::uint32_t task, const TraceRowLines& lines)
{
    addBrick({xOf(0), lines.barTop, xOf(m_store.endOfTask(task)), lines.barEnd,
              TraceCategories::compute});
}

void TraceBricks::addLayer(std::uint32_t task, std::size_t layer, const TraceRowLines& lines,
                           std::size_t rowsNames)
{
    std::optional<std::uint32_t> last;
    const std::size_t parentsEnd = m_names.size();
    m_store.forEachSpan(task, layer, m_window.begin, m_window.end(), [&](std::uint32_t span) {
        const TraceCategory category = m_store.categories().of(m_store.timeline().spans[span]);
        const int left = xOf(m_store.beginOf(span));
        const int right = std::max(left + 1, xOf(m_store.endOf(span)));
        addBrick({left, lines.barTop, right, lines.barEnd, category});
        makeWay(rowsNames, parentsEnd, left, right);
        const bool goesOn = last && m_store.isSameCall(*last, span);
        last = span;
        if (goesOn) { // the name may stand over both parts
            m_names.back().right = std::min(m_width, right);
            return;
        }
        if (category == TraceCategories::compute)
            return;
        if (right - left >= narrowestEdged)
            addBrick({left, lines.barTop, left + std::max(1, toDevice(1, m_ratio)), lines.barEnd,
                      category, true});
        m_names.push_back({span, std::max(0, left), std::min(m_width, right), lines.barTop,
                           lines.barEnd, category});
    });
}

void TraceBricks::stack(const TraceColumns::Column& column, int height, std::vector<int>& heights)
{
    heights.assign(column.shares.size(), 0);
    const TraceCategory dominating = column.dominating();
    int rest = height;
    for (std::size_t i = 0; i < column.shares.size(); ++i) {
        const auto category = static_cast<TraceCategory>(i);
        if (category == dominating || !column.has(category))
            continue;
        const int least = category == TraceCategories::idle ? 0 : 1;
        const int wanted = std::max(
            least, static_cast<int>(std::lround(column.shares[i] * static_cast<float>(height))));
        heights[i] = std::clamp(wanted, 0, std::max(0, rest - 1));
        rest -= heights[i];
    }
    heights[dominating] = rest;
}

void TraceBricks::addStack(const TraceColumns::Column& column, int x, const TraceRowLines& lines)
{
    stack(column, lines.barEnd - lines.barTop, m_heights);
    int bottom = lines.barEnd;
    // Computation at the bottom, what is in nothing at the top.
    for (std::size_t i = TraceCategories::compute; i < m_heights.size(); ++i) {
        addBrick({x, bottom - m_heights[i], x + 1, bottom, static_cast<TraceCategory>(i)});
        bottom -= m_heights[i];
    }
}

void TraceBricks::addColumns(std::uint32_t task, const TraceRowLines& lines)
{
    m_store.summarise(task, m_window, static_cast<std::size_t>(m_width), m_columns);
    for (int x = 0; x < m_width;) {
        const TraceColumns::Column column = m_columns[static_cast<std::size_t>(x)];
        if (column.starts > sharpStarts) {
            addStack(column, x++, lines);
            continue;
        }
        const TraceCategory category = column.dominating();
        const int first = x++;
        for (; x < m_width; ++x) {
            const TraceColumns::Column next = m_columns[static_cast<std::size_t>(x)];
            if (next.starts > sharpStarts || next.dominating() != category)
                break;
        }
        addBrick({first, lines.barTop, x, lines.barEnd, category});
    }
    addNamesOfColumns(task, lines);
}

/// Long spans among many short ones.
void TraceBricks::addNamesOfColumns(std::uint32_t task, const TraceRowLines& lines)
{
    const double least = narrowestName * m_ratio;
    const auto columns = static_cast<std::size_t>(m_width);
    for (int x = 0; x < m_width; ++x) {
        const int first = x;
        while (x + 1 < m_width && m_columns[static_cast<std::size_t>(x + 1)].starts == 0)
            ++x;
        const TraceCategory category = m_columns[static_cast<std::size_t>(x)].dominating();
        if (x - first < least || category <= TraceCategories::compute)
            continue;
        const Nanoseconds middle = m_window.edge(columns,
                                                 static_cast<std::size_t>((first + x) / 2));
        if (const auto span = m_store.callNear(task, middle))
            m_names.push_back({*span, first + 1, x + 1, lines.barTop, lines.barEnd, category});
    }
}

} // namespace tasuki
