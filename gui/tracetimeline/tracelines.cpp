// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracelines.h"

#include "tracebricks.h"

#include <QPolygonF>

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

/// Logical pixels.
constexpr double columnsOfArrow = 3; ///< one message drawn for so many
constexpr std::size_t fewestArrows = 60;
constexpr double headLength = 6;
constexpr double pathWidth = 3;
constexpr double pathOutlineWidth = 6;
constexpr int pathColumnWidth = 3;
constexpr double pathHead = 10;
constexpr double pathAboveEdge = 2; ///< of the bar
constexpr double outside = 20;      ///< lines go on so far out of sight
constexpr double piecesOfColumn = 0.25;

double distanceTo(const QLineF& line, QPointF point)
{
    const QPointF along = line.p2() - line.p1();
    const double square = QPointF::dotProduct(along, along);
    const double part = square <= 0
        ? 0
        : std::clamp(QPointF::dotProduct(point - line.p1(), along) / square, 0.0, 1.0);
    return QLineF(line.p1() + part * along, point).length();
}

} // namespace

TraceLines::TraceLines(const TraceStore& store, const TimelineView& view, const LaneLayout& layout,
                       QSizeF place)
    : m_store(store), m_view(view), m_layout(layout), m_place(place)
{}

double TraceLines::xOf(double us) const { return m_view.xOf(toNanoseconds(us)); }

QLineF TraceLines::arrowLine(std::uint32_t arrow) const
{
    const plan::TimelineArrow& item = m_store.timeline().arrows[arrow];
    const TraceRowLines from = TraceRowLines::of(m_layout, item.from.value(), 1);
    const TraceRowLines to = TraceRowLines::of(m_layout, item.to.value(), 1);
    const bool down = item.to > item.from;
    // A message to oneself runs along the upper edge.
    const int fromY = down ? from.barEnd : from.barTop;
    const int toY = item.to < item.from ? to.barEnd : to.barTop;
    return {xOf(item.sentUs), static_cast<double>(fromY), xOf(item.arrivedUs),
            static_cast<double>(toY)};
}

double TraceLines::pathY(std::uint32_t task) const
{
    return TraceRowLines::of(m_layout, task, 1).barEnd - pathAboveEdge;
}

QLineF TraceLines::pathLine(const plan::PathPiece& piece) const
{
    return {xOf(piece.beginUs), pathY(piece.task.value()), xOf(piece.endUs),
            pathY(piece.to.value())};
}

std::size_t TraceLines::arrowsInSight() const
{
    const TimeWindow& window = m_view.window();
    return m_store.arrows().countIn(window.begin, window.end());
}

std::size_t TraceLines::mostArrows() const
{
    return std::max(fewestArrows, static_cast<std::size_t>(m_place.width() / columnsOfArrow));
}

std::vector<std::uint32_t> TraceLines::drawnArrows() const
{
    std::vector<std::uint32_t> found;
    if (arrowsInSight() > mostArrows())
        return found;
    const TimeWindow& window = m_view.window();
    m_store.arrows().forEachIn(window.begin, window.end(), [&found](std::uint32_t arrow) {
        found.push_back(arrow);
        return true;
    });
    return found;
}

std::optional<std::uint32_t> TraceLines::arrowAt(QPointF point, double reach) const
{
    std::optional<std::uint32_t> best;
    double nearest = reach;
    for (const std::uint32_t arrow : drawnArrows()) {
        const double distance = distanceTo(arrowLine(arrow), point);
        if (distance <= nearest) {
            nearest = distance;
            best = arrow;
        }
    }
    return best;
}

/// Deep in a zoom the ends of a line are farther away than painters can count.
std::optional<QLineF> TraceLines::inSight(const QLineF& line) const
{
    double from = 0;
    double to = 1;
    const auto cut = [&](double start, double delta, double low, double high) {
        if (delta == 0)
            return start >= low && start <= high;
        const double a = (low - start) / delta;
        const double b = (high - start) / delta;
        from = std::max(from, std::min(a, b));
        to = std::min(to, std::max(a, b));
        return from <= to;
    };
    if (!cut(line.x1(), line.dx(), -outside, m_place.width() + outside)
        || !cut(line.y1(), line.dy(), -outside, m_place.height() + outside))
        return std::nullopt;
    return QLineF(line.pointAt(from), line.pointAt(to));
}

void TraceLines::draw(QPainter& painter, const QLineF& line, const Stroke& stroke) const
{
    const auto seen = inSight(line);
    if (!seen)
        return;
    const QColor colour = QColor::fromRgb(stroke.colour);
    painter.setPen(QPen(colour, stroke.width, Qt::SolidLine, Qt::SquareCap)); // round ends are slow
    painter.drawLine(*seen);
    const double length = line.length();
    if (stroke.head <= 0 || seen->p2() != line.p2() || length <= 0)
        return;
    const QPointF along = (line.p2() - line.p1()) / length;
    const QPointF across(-along.y(), along.x());
    const QPointF base = line.p2() - along * stroke.head;
    const double half = stroke.head * 0.42;
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({line.p2(), base + across * half, base - across * half}));
}

void TraceLines::paintArrows(QPainter& painter, const TracePalette& palette) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const std::uint32_t arrow : drawnArrows())
        draw(painter, arrowLine(arrow), {palette.arrow, 1.1, headLength});
    painter.restore();
}

void TraceLines::paintSelectedArrow(QPainter& painter, std::uint32_t arrow,
                                    const TracePalette& palette) const
{
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const QLineF line = arrowLine(arrow);
    draw(painter, line, {palette.base.background, 5, headLength + 6});
    draw(painter, line, {palette.base.selection, 2.4, headLength + 3});
    painter.restore();
}

void TraceLines::paintPath(QPainter& painter, const TracePalette& palette) const
{
    const TimeWindow& window = m_view.window();
    const auto [first, last] = m_store.path().piecesIn(window.begin, window.end());
    if (first == last)
        return;
    painter.save();
    if (static_cast<double>(last - first) <= m_place.width() * piecesOfColumn)
        paintPathPieces(painter, first, last, palette);
    else
        paintPathColumns(painter, palette);
    painter.restore();
}

void TraceLines::paintPathPieces(QPainter& painter, std::size_t first, std::size_t last,
                                 const TracePalette& palette) const
{
    painter.setRenderHint(QPainter::Antialiasing);
    const std::vector<plan::PathPiece>& path = m_store.timeline().criticalPath;
    const auto drawAll = [&](QRgb colour, double width, double head) {
        for (std::size_t i = first; i < last; ++i) {
            const bool message = path[i].kind == plan::PathPiece::Kind::Message;
            draw(painter, pathLine(path[i]), {colour, width, message ? head : 0});
        }
    };
    drawAll(palette.pathOutline, pathOutlineWidth, pathHead + 4);
    drawAll(palette.path, pathWidth, pathHead);
}

/// Where many pieces are in a column of pixels, from which row to which the path goes in it.
void TraceLines::paintPathColumns(QPainter& painter, const TracePalette& palette) const
{
    const auto width = static_cast<std::size_t>(m_place.width());
    const TimeWindow& window = m_view.window();
    std::vector<QRect> lines; // whole pixels: parts of them take a slower way
    for (std::size_t x = 0; x < width; ++x) {
        const auto tasks = m_store.path().tasksIn(window.edge(width, x), window.edge(width, x + 1));
        if (!tasks)
            continue;
        const int top = static_cast<int>(pathY(tasks->first)) - pathColumnWidth / 2;
        const int bottom = static_cast<int>(pathY(tasks->second)) + pathColumnWidth / 2;
        const auto left = static_cast<int>(x);
        const bool goesOn = !lines.empty() && lines.back().right() + 1 == left
            && lines.back().top() == top && lines.back().bottom() == bottom;
        if (goesOn)
            lines.back().setRight(left);
        else
            lines.emplace_back(left, top, 1, bottom + 1 - top);
    }
    const auto drawAll = [&](QRgb colour, int outline) {
        for (const QRect& line : lines)
            painter.fillRect(line.adjusted(-outline, -outline, outline, outline),
                             QColor::fromRgb(colour));
    };
    drawAll(palette.pathOutline, 1);
    drawAll(palette.path, 0);
}

} // namespace tasuki
