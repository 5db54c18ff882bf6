// SPDX-License-Identifier: GPL-3.0-or-later
#include "laneraster.h"

#include <QPolygon>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace tasuki {

namespace {

constexpr int spaciousRow = 13; ///< logical pixels; from here on gaps are wider
constexpr double markPart = 0.3;
constexpr double hatchLength = 14; ///< logical pixels
constexpr double fadeLength = 12;  ///< the same
constexpr int hatchPeriod = 6;
constexpr int replayPeriod = 8; ///< the same

QRgb* lineOf(QImage& image, int y) { return reinterpret_cast<QRgb*>(image.scanLine(y)); }

/// Calls for the lines of a range that are on the image.
template <class Paint>
void forLines(QImage& image, int begin, int end, Paint paint)
{
    for (int y = std::max(0, begin); y < std::min(end, image.height()); ++y)
        paint(lineOf(image, y), y);
}

void fillLines(QImage& image, int begin, int end, std::span<const QRgb> pixels)
{
    forLines(image, begin, end,
             [&](QRgb* line, int) { std::memcpy(line, pixels.data(), pixels.size_bytes()); });
}

/// @param rect  of the marks' lines
void fillTeeth(QPainter& painter, const QRect& rect, std::span<const std::uint8_t> failures)
{
    const int spread = markSpread(rect.height() - 1);
    auto begin = failures.begin();
    while ((begin = std::find(begin, failures.end(), 1)) != failures.end()) {
        const auto end = std::find(begin, failures.end(), 0);
        const int left = rect.left() + static_cast<int>(begin - failures.begin());
        const int right = rect.left() + static_cast<int>(end - failures.begin());
        const int bottom = rect.top() + rect.height();
        painter.drawPolygon(
            QPolygon({QPoint(left, rect.top()), QPoint(right, rect.top()),
                      QPoint(right + spread, bottom), QPoint(left - spread, bottom)}));
        begin = end;
    }
}

/// @return in which of so many columns a time is; far from them where it is far away
int columnOf(const LaneContents& contents, double columns, Nanoseconds time)
{
    const double scale = columns / static_cast<double>(contents.window.span);
    const double x = static_cast<double>(time - contents.window.begin) * scale;
    return static_cast<int>(std::clamp(x, -1e6, 1e6));
}

/// @return the first column of a stretch, and the one behind its last
std::pair<int, int> columnsOf(const ReplayStretch& stretch, const LaneContents& contents,
                              double columns)
{
    const Nanoseconds end = stretch.end ? *stretch.end * nanosecondsPerMicrosecond
                                        : toNanoseconds(contents.now);
    return {columnOf(contents, columns, stretch.begin * nanosecondsPerMicrosecond),
            columnOf(contents, columns, end)};
}

/// Lets the ground shine through bars.
/// @param part  of a column and a line: how much of it, from 0 to 1
template <class Part>
void mixIn(QImage& image, const RowLines& lines, int begin, int end, std::span<const QRgb> ground,
           Part part)
{
    forLines(image, lines.barTop, lines.barEnd, [&](QRgb* line, int y) {
        for (int x = std::max(0, begin); x < std::min(end, image.width()); ++x)
            line[x] = mixed(line[x], ground[static_cast<std::size_t>(x)], part(x, y));
    });
}

/// What is done again is hatched the other way than open ends.
void hatchReplays(const LaneContents& contents, std::size_t row, const RowLines& lines,
                  std::span<const QRgb> ground, QImage& image)
{
    const int period = static_cast<int>(replayPeriod * image.devicePixelRatio());
    const int positive = image.height() * period;
    for (const ReplayStretch& stretch : contents.store.replays(row)) {
        const auto [begin, end] = columnsOf(stretch, contents, static_cast<double>(ground.size()));
        mixIn(image, lines, begin, end, ground,
              [&](int x, int y) { return (x + positive - y) % period < period / 2 ? 0.4 : 0.08; });
    }
}

/// What still runs frays out to the right: nobody knows yet how long it will be.
void hatchOpenEnds(const LaneContents& contents, std::size_t row, const RowLines& lines,
                   std::span<const QRgb> ground, QImage& image)
{
    const auto columns = static_cast<double>(ground.size());
    const double ratio = image.devicePixelRatio();
    const int length = static_cast<int>(hatchLength * ratio);
    const int period = static_cast<int>(hatchPeriod * ratio);
    const int end = columnOf(contents, columns, toNanoseconds(contents.now));
    for (const OpenAttempt& open : contents.store.openAttempts(row)) {
        const int start = columnOf(contents, columns, open.start * nanosecondsPerMicrosecond);
        mixIn(image, lines, std::max(start + 2, end - length), end, ground, [&](int x, int y) {
            const double faded = static_cast<double>(x - (end - length)) / length;
            return (x + y) % period < period / 2 ? 0.25 + 0.6 * faded : 0.35 * faded;
        });
    }
}

void hatchReplayShapes(const LaneContents& contents, std::size_t row, QPainter& painter,
                       const QRect& bars)
{
    const QColor ground = opaque(contents.isBand(row) ? contents.palette.band
                                                      : contents.palette.background);
    for (const ReplayStretch& stretch : contents.store.replays(row)) {
        const auto [begin, end] = columnsOf(stretch, contents, bars.width());
        const QRect place(bars.left() + std::max(0, begin), bars.top(),
                          std::min(end, bars.width()) - std::max(0, begin), bars.height());
        if (place.width() > 0)
            painter.fillRect(place, QBrush(ground, Qt::FDiagPattern));
    }
}

} // namespace

RowLines RowLines::of(const LaneLayout& layout, std::size_t row, double ratio)
{
    const auto device = [ratio](double logical) {
        return static_cast<int>(std::lround(logical * ratio));
    };
    RowLines lines;
    const int step = layout.rowHeight();
    lines.top = device(layout.yOf(row));
    lines.end = device(layout.yOf(row) + step);
    const int gap = device(step >= spaciousRow ? 2 : 1);
    lines.barTop = lines.top + gap;
    lines.barEnd = lines.end - gap;
    const int mark = std::clamp(device(step * markPart), device(2), device(6));
    lines.markTop = lines.end - mark;
    return lines;
}

void LaneRaster::compose(const LaneContents& contents, double ratio, QImage& image)
{
    const auto width = static_cast<std::size_t>(image.width());
    m_columns.resize(width);
    m_spots.clear();
    const auto [first, last] = contents.layout.visibleRows();
    for (std::size_t row = first; row < last; ++row)
        paintRow(contents, row, ratio, image);
}

void LaneRaster::paintRow(const LaneContents& contents, std::size_t row, double ratio,
                          QImage& image)
{
    const TimelineStore& store = contents.store;
    const LaneInfo& lane = store.lane(row);
    const std::span<const QRgb> ground = contents.ground(row);
    store.summarise(row, contents.window, contents.now, m_columns);
    m_pixels.make(m_columns, ground, contents.palette);
    const RowLines lines = RowLines::of(contents.layout, row, ratio);
    fillLines(image, lines.barTop, lines.barEnd, m_pixels.bar());
    if (row > 0 && store.lane(row - 1).host != lane.host)
        forLines(image, lines.top, lines.top + 1,
                 [&](QRgb* line, int) { std::fill_n(line, ground.size(), contents.palette.line); });
    hatchReplays(contents, row, lines, ground, image);
    hatchOpenEnds(contents, row, lines, ground, image);
    if (m_pixels.hasFailures())
        paintMarks(lines, contents.palette, image);
    if (contents.layout.rowHeight() >= spaciousRow)
        findSpots(row);
}

void LaneRaster::paintMarks(const RowLines& lines, const TimelinePalette& palette, QImage& image)
{
    const std::vector<std::uint8_t>& failures = m_pixels.failures();
    const auto width = static_cast<int>(failures.size());
    forLines(image, lines.markTop, lines.end, [&](QRgb* line, int y) {
        const int spread = markSpread(y - lines.markTop);
        int painted = 0; // columns before this one need nothing any more
        for (int x = 0; x < width; ++x) {
            if (failures[static_cast<std::size_t>(x)] == 0)
                continue;
            const int end = std::min(width, x + spread + 1);
            for (int to = std::max(painted, x - spread); to < end; ++to)
                line[to] = palette.failureMark;
            painted = end;
        }
    });
}

void LaneRaster::fadeOut(const LabelSpot& spot, const LaneLayout& layout, double ratio,
                         QImage& image)
{
    const RowLines lines = RowLines::of(layout, spot.row, ratio);
    const int end = static_cast<int>(spot.end);
    const int length = static_cast<int>(
        std::min(fadeLength * ratio, static_cast<double>(spot.end - spot.begin)));
    // No text reaches the first line of the bar: it has the colours of the bar alone.
    if (lines.barTop < 0 || lines.barTop >= image.height())
        return;
    const QRgb* bar = reinterpret_cast<const QRgb*>(image.constScanLine(lines.barTop));
    forLines(image, lines.barTop + 1, lines.markTop, [&](QRgb* line, int) {
        for (int x = end - length; x < end; ++x)
            line[x] = mixed(line[x], bar[x], static_cast<double>(x - end + length) / length);
    });
}

void LaneRaster::findSpots(std::size_t row)
{
    std::size_t begin = 0;
    const auto close = [&](std::size_t end) {
        if (end >= begin + m_narrowestSpot && m_pixels.isBusy(begin))
            m_spots.push_back({row, begin, end});
    };
    for (std::size_t i = 1; i < m_columns.size(); ++i) {
        if (m_columns[i].starts != 0 || m_pixels.isBusy(i) != m_pixels.isBusy(i - 1)) {
            close(i);
            begin = i;
        }
    }
    close(m_columns.size());
}

void LaneRaster::paintShapes(const LaneContents& contents, QPainter& painter, const QRect& place)
{
    std::vector<ColumnSummary> columns(static_cast<std::size_t>(place.width()));
    LanePixels pixels;
    painter.setPen(Qt::NoPen);
    painter.setBrush(opaque(contents.palette.failureMark));
    const auto [first, last] = contents.layout.visibleRows();
    for (std::size_t row = first; row < last; ++row) {
        contents.store.summarise(row, contents.window, contents.now, columns);
        pixels.make(columns, contents.ground(row), contents.palette);
        const RowLines lines = RowLines::of(contents.layout, row, 1);
        const auto rect = [&place](int top, int bottom) {
            return QRect(place.left(), place.top() + top, place.width(), bottom - top);
        };
        fillRuns(painter, rect(lines.barTop, lines.barEnd), pixels.bar());
        hatchReplayShapes(contents, row, painter, rect(lines.barTop, lines.barEnd));
        fillTeeth(painter, rect(lines.markTop, lines.end), pixels.failures());
    }
}

} // namespace tasuki
