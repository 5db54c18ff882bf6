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
constexpr int pathWidth = 3;
constexpr int pathOutline = 1;      ///< on each side
constexpr double jumpOutline = 1.5; ///< the same
constexpr double pathHead = 10;
constexpr double narrowJumpWidth = 1.4;
constexpr double pathAboveEdge = 2;  ///< of the bar
constexpr double outside = 20;       ///< lines go on so far out of sight
constexpr double leastJumpSpace = 4; ///< from one jump of the path to the next
constexpr double roomyJumpSpace = 16;

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

QLineF TraceLines::jumpLine(std::size_t jump) const
{
    const PathStay& from = m_store.path().stays()[jump];
    const PathStay& to = m_store.path().stays()[jump + 1];
    return {m_view.xOf(from.end), pathY(from.task), m_view.xOf(to.begin), pathY(to.task)};
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
    const QColor colour = opaque(stroke.colour);
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

/// @return how far it is to the next jump
double TraceLines::spaceOf(std::size_t jump) const
{
    const std::vector<PathStay>& stays = m_store.path().stays();
    return jump + 1 < m_store.path().jumps()
        ? m_view.xOf(stays[jump + 1].end) - m_view.xOf(stays[jump].end)
        : roomyJumpSpace;
}

/// What is far enough from its neighbours holds one of the places that are looked at: so it does
/// not matter how long the path is.
std::vector<TraceLines::Jump> TraceLines::drawnJumps() const
{
    const PathIndex& path = m_store.path();
    std::vector<Jump> found;
    for (double x = 0; x <= m_place.width() + leastJumpSpace; x += leastJumpSpace) {
        const std::size_t before = path.jumpsBefore(m_view.timeAt(x));
        if (before == 0 || (!found.empty() && found.back().index == before - 1))
            continue;
        const std::size_t jump = before - 1;
        const double least = std::min(spaceOf(jump),
                                      jump == 0 ? roomyJumpSpace : spaceOf(jump - 1));
        if (least >= leastJumpSpace)
            found.push_back({jump, least >= roomyJumpSpace});
    }
    return found;
}

bool TraceLines::isPathCondensed() const
{
    const PathIndex& path = m_store.path();
    const std::size_t first = path.jumpsBefore(m_view.window().begin);
    const std::size_t last = path.jumpsBefore(m_view.window().end());
    const auto drawn = drawnJumps();
    const auto inside = std::ranges::count_if(
        drawn, [&](const Jump& jump) { return jump.index >= first && jump.index < last; });
    return static_cast<std::size_t>(inside) < last - first;
}

bool TraceLines::isPathCondensedAt(std::uint32_t task, double x) const
{
    const PathIndex& path = m_store.path();
    const PathStay* const stay = path.stayFrom(task, m_view.timeAt(x));
    if (stay == nullptr || m_view.xOf(stay->begin) >= x + 1)
        return false;
    const auto leaves = static_cast<std::size_t>(stay - path.stays().data());
    return leaves > 0 && leaves < path.jumps() && spaceOf(leaves - 1) < leastJumpSpace;
}

int TraceLines::column(Nanoseconds time) const
{
    return static_cast<int>(
        std::clamp(std::floor(m_view.xOf(time)), -outside, m_place.width() + outside));
}

/// Where the path is on a task, to whole pixels: parts of them take a slower way.
void TraceLines::addPathOf(std::uint32_t task, std::vector<QRect>& bars) const
{
    const int y = static_cast<int>(pathY(task)) - pathWidth / 2;
    const TimeWindow& window = m_view.window();
    const std::size_t others = bars.size();
    const PathStay* stay = m_store.path().stayFrom(task, window.begin);
    while (stay != nullptr && stay->begin < window.end()) {
        const int left = column(stay->begin);
        const int right = column(stay->end);
        if (bars.size() > others && left <= bars.back().right() + 1)
            bars.back().setRight(right);
        else
            bars.emplace_back(left, y, right + 1 - left, pathWidth);
        // Nothing new can be seen before the next column.
        stay = m_store.path().stayFrom(task, std::max(stay->end + 1, m_view.timeAt(right + 1)));
    }
}

void TraceLines::paintPath(QPainter& painter, const TracePalette& palette) const
{
    std::vector<QRect> bars;
    const auto [firstRow, lastRow] = m_layout.visibleRows();
    for (std::size_t row = firstRow; row < lastRow; ++row)
        addPathOf(static_cast<std::uint32_t>(row), bars);
    const std::vector<Jump> jumps = drawnJumps();
    painter.save();
    const auto drawBars = [&](QRgb colour, int outline) {
        painter.setRenderHint(QPainter::Antialiasing, false);
        for (const QRect& bar : bars)
            painter.fillRect(bar.adjusted(-outline, -outline, outline, outline), opaque(colour));
    };
    const auto drawJumps = [&](QRgb colour, double outline, double moreHead) {
        painter.setRenderHint(QPainter::Antialiasing);
        for (const Jump& jump : jumps) {
            const double width = jump.isRoomy ? pathWidth : narrowJumpWidth;
            draw(painter, jumpLine(jump.index),
                 {colour, width + 2 * outline, jump.isRoomy ? pathHead + moreHead : 0});
        }
    };
    drawBars(palette.pathOutline, pathOutline);
    drawJumps(palette.pathOutline, jumpOutline, 4);
    drawBars(palette.path, 0);
    drawJumps(palette.path, 0, 0);
    painter.restore();
}

} // namespace tasuki
