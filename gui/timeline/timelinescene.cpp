// SPDX-License-Identifier: GPL-3.0-or-later
#include "timelinescene.h"

#include "attempttext.h"
#include "lanelabels.h"

#include <QTextDocumentFragment>

#include <algorithm>

namespace tasuki {

namespace {

/// More attempts than these under the pointer are not looked at one by one.
constexpr std::size_t mostUnderPointer = 4096;

LanePlace placeOfAttempt(std::size_t row, const TimelineAttempt& attempt)
{
    const Nanoseconds begin = toNanoseconds(attempt.start);
    return {row, {begin, toNanoseconds(attempt.end) - begin}};
}

} // namespace

void TimelineScene::setStore(const TimelineStore* store)
{
    m_store = store;
    m_texts.forget();
    selectNothing();
    m_seenRevision = 0;
    m_seenLanes = 0;
    reset();
    update();
}

void TimelineScene::setTaskText(BarTexts::TaskText text)
{
    m_texts.setTaskText(std::move(text));
    touchRows();
}

void TimelineScene::setStyle(const QPalette& palette, const QFont& font)
{
    setStyle(TimelinePalette::of(palette), font);
}

void TimelineScene::setStyle(const TimelinePalette& palette, const QFont& font)
{
    m_palette = palette;
    setFont(font);
    refreshLayout();
}

void TimelineScene::setElapsedTime(bool elapsed)
{
    m_elapsed = elapsed;
    touchRows();
}

void TimelineScene::setNow(WallTime now, bool live)
{
    const TimeWindow& window = view().window();
    if (now != m_now && m_store != nullptr && m_store->openCount() != 0
        && toNanoseconds(std::min(now, m_now)) < window.end()
        && toNanoseconds(std::max(now, m_now)) > window.begin)
        touchRows(); // what runs grows
    m_now = now;
    m_live = live;
    update();
}

void TimelineScene::update()
{
    if (m_store == nullptr)
        return;
    if (m_store->laneRevision() != m_seenLanes) {
        m_seenLanes = m_store->laneRevision();
        refreshLayout();
    }
    if (m_store->revision() != m_seenRevision) {
        m_seenRevision = m_store->revision();
        touchRows();
        m_selection.find(m_store, m_now);
    }
    const TimeRange range = m_store->range().value_or(TimeRange{m_now, m_now});
    const bool goesOn = m_live || m_store->openCount() != 0;
    const WallTime end = goesOn ? std::max(range.end, m_now) : range.end;
    view().setContent(toNanoseconds(range.begin), toNanoseconds(end));
    axis().setTimes(m_elapsed ? AxisTimes::Elapsed : AxisTimes::TimeOfDay,
                    toNanoseconds(range.begin));
}

void TimelineScene::setSelected(std::optional<TaskId> task, std::optional<AttemptKey> attempt)
{
    m_selection.set(task, attempt);
    m_selection.find(m_store, m_now);
}

std::size_t TimelineScene::laneCount() const
{
    return m_store == nullptr ? 0 : m_store->laneCount();
}

QRectF TimelineScene::rectOf(std::size_t row, const TimelineAttempt& attempt) const
{
    const QRect rows = rowsRect();
    const WallTime end = attempt.outcome ? attempt.end : std::max(m_now, attempt.start);
    const double left = view().xOf(toNanoseconds(attempt.start));
    const double right = view().xOf(toNanoseconds(end));
    const RowLines lines = RowLines::of(layout(), row, 1);
    return {rows.left() + left, static_cast<double>(rows.top() + lines.barTop),
            std::max(2.0, right - left), static_cast<double>(lines.barEnd - lines.barTop)};
}

std::vector<TimelineAttempt> TimelineScene::attemptsNear(const QPoint& position) const
{
    constexpr int reach = 3; // pixels: as far as a failure's mark
    const QRect rows = rowsRect();
    const auto row = rowAt(position);
    std::vector<TimelineAttempt> found;
    if (isEmpty() || !row || !rows.contains(position))
        return found;
    const double x = position.x() - rows.left();
    for (int wider = 0; wider <= reach && found.empty(); wider += reach) {
        const WallTime begin = toWallTime(view().timeAt(x - wider));
        const WallTime end = toWallTime(view().timeAt(x + 1 + wider));
        m_store->forEachOverlapping(*row,
                                    {begin, std::max(end, begin + std::chrono::microseconds(1))},
                                    m_now, [&found](const TimelineAttempt& attempt) {
                                        found.push_back(attempt);
                                        return found.size() < mostUnderPointer;
                                    });
    }
    return found;
}

std::optional<PlacedAttempt> TimelineScene::attemptAt(const QPoint& position) const
{
    const std::vector<TimelineAttempt> found = attemptsNear(position);
    if (found.empty())
        return std::nullopt;
    const auto rank = [](const TimelineAttempt& attempt) {
        return std::pair(isFailure(attempt.kind()), attempt.end - attempt.start);
    };
    const auto best = std::max_element(
        found.begin(), found.end(),
        [&rank](const TimelineAttempt& a, const TimelineAttempt& b) { return rank(a) < rank(b); });
    return PlacedAttempt{*rowAt(position), *best};
}

QString TimelineScene::describe(const QPoint& position) const
{
    const std::vector<TimelineAttempt> found = attemptsNear(position);
    if (found.empty())
        return {};
    const LaneInfo& lane = m_store->lane(*rowAt(position));
    constexpr std::size_t fewest = 3; // up to two may meet in one pixel
    if (found.size() >= fewest)
        return AttemptText::ofMany(lane, found);
    const TimelineAttempt attempt = attemptAt(position)->attempt;
    return AttemptText::ofOne(lane, attempt, m_texts.of(attempt.key.task),
                              m_store->replayOf(*rowAt(position), attempt.key));
}

QString TimelineScene::selectedText() const
{
    const auto placed = chosen();
    if (!placed)
        return {};
    const QString text = AttemptText::ofOne(m_store->lane(placed->row), placed->attempt,
                                            m_texts.of(placed->attempt.key.task),
                                            m_store->replayOf(placed->row, placed->attempt.key));
    return QTextDocumentFragment::fromHtml(text).toPlainText().replace(QLatin1Char('\n'),
                                                                       QLatin1String(", "));
}

void TimelineScene::selectAt(const QPoint& position)
{
    m_mark.reset();
    if (const auto placed = attemptAt(position))
        setSelected(placed->attempt.key.task, placed->attempt.key);
    else
        selectNothing();
}

bool TimelineScene::selectBeside(Side side)
{
    if (isEmpty())
        return false;
    const int step = side == Side::Left || side == Side::Up ? -1 : 1;
    const bool sideways = side == Side::Left || side == Side::Right;
    const TimeWindow& window = view().window();
    const auto placed = sideways && m_selection.chosen()
        ? m_selection.inTime(*m_store, m_now, step)
        : m_selection.inNextLane(*m_store, m_now, sideways ? 1 : step, layout().visibleRows().first,
                                 toWallTime(window.begin + window.span / 2));
    if (placed)
        setSelected(placed->attempt.key.task, placed->attempt.key);
    return placed.has_value();
}

std::optional<LanePlace> TimelineScene::selectedPlace() const
{
    const auto placed = chosen();
    return placed ? std::optional(placeOfAttempt(placed->row, placed->attempt)) : std::nullopt;
}

std::optional<LanePlace> TimelineScene::placeOf(TaskId task) const
{
    if (isEmpty())
        return std::nullopt;
    const auto attempts = m_store->attemptsOf(task, m_now);
    if (attempts.empty())
        return std::nullopt;
    return placeOfAttempt(attempts.back().first, attempts.back().second);
}

LaneContents TimelineScene::contents() const
{
    return {*m_store, view().window(), m_now, layout(), m_palette, ground(false), ground(true)};
}

int TimelineScene::labelWidth() const { return LaneLabels(*m_store, layout(), font()).width(); }

void TimelineScene::paintLabels(QPainter& painter, const QRect& rect) const
{
    LaneLabels(*m_store, layout(), font()).paint(painter, rect, m_palette);
}

bool TimelineScene::isBand(std::size_t row) const { return contents().isBand(row); }

void TimelineScene::paintRows(QImage& image)
{
    m_texts.setFont(font(), layout().rowHeight());
    m_texts.paint(contents(), image);
}

void TimelineScene::paintRowShapes(QPainter& painter)
{
    LaneRaster::paintShapes(contents(), painter, rowsRect());
}

/// The selection, and a line where time is now.
void TimelineScene::paintOverRows(QPainter& painter) const
{
    for (const auto& [row, attempt] : m_selection.attempts())
        paintOutline(painter, rectOf(row, attempt), m_selection.isMeant(attempt.key) ? 2 : 1);
    const QRect rows = rowsRect();
    const double x = view().xOf(toNanoseconds(m_now));
    if (!m_live || x < 0 || x > rows.width())
        return;
    painter.setPen(QPen(opaque(m_palette.now), 1.5));
    painter.drawLine(QPointF(rows.left() + x, rows.top()), QPointF(rows.left() + x, rows.bottom()));
}

/// The mark: a dashed line through all rows, and a point on the axis.
void TimelineScene::paintAround(QPainter& painter) const
{
    const QRect rows = rowsRect();
    const double x = m_mark ? rows.left() + view().xOf(toNanoseconds(*m_mark)) : -1;
    if (x < rows.left() || x > rows.right())
        return;
    constexpr double half = 5;
    painter.save();
    painter.setClipRect(rows.united(axisRect()));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(opaque(m_palette.selection), 1.5, Qt::DashLine));
    painter.drawLine(QPointF(x, rows.top()), QPointF(x, rows.bottom()));
    painter.setPen(Qt::NoPen);
    painter.setBrush(opaque(m_palette.selection));
    painter.drawPolygon(
        QPolygonF({QPointF(x - half, rows.top() - 1.5 * half),
                   QPointF(x + half, rows.top() - 1.5 * half), QPointF(x, rows.top())}));
    painter.restore();
}

QString TimelineScene::emptyText() const
{
    return tr("Nothing has run yet.\nTasks appear here as they run.");
}

} // namespace tasuki
