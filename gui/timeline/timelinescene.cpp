// SPDX-License-Identifier: GPL-3.0-or-later
#include "timelinescene.h"

#include "attempttext.h"
#include "lanelabels.h"

#include <QFontMetrics>

#include <algorithm>

namespace tasuki {

namespace {

/// More attempts than these under the pointer are not looked at one by one.
constexpr std::size_t mostUnderPointer = 4096;
constexpr int widestLabels = 3; ///< part of the width: one in so many
constexpr int smallestBarText = 9;

} // namespace

void TimelineScene::setStore(const TimelineStore* store)
{
    m_store = store;
    m_texts.clear();
    m_view = TimelineView();
    m_selected.clear();
    m_selectedTask.reset();
    m_selectedAttempt.reset();
    m_seenRevision = 0;
    m_seenLanes = 0;
    m_lanesDirty = true;
    m_labelsDirty = true;
    refreshLayout();
    update();
}

void TimelineScene::setTaskText(TaskText text)
{
    m_taskText = std::move(text);
    m_texts.clear();
    m_lanesDirty = true;
}

void TimelineScene::setGeometry(QSize size)
{
    m_size = size;
    refreshLayout();
}

void TimelineScene::setRatio(double ratio)
{
    if (m_ratio == ratio)
        return;
    m_ratio = ratio;
    refreshLayout();
}

void TimelineScene::setStyle(const TimelinePalette& palette, const QFont& font)
{
    m_palette = palette;
    m_font = font;
    m_axis.setFont(font);
    m_texts.clear();
    refreshLayout();
}

void TimelineScene::setLeastLabelWidth(int pixels)
{
    m_leastLabelWidth = pixels;
    refreshLayout();
}

void TimelineScene::setElapsedTime(bool elapsed)
{
    m_elapsed = elapsed;
    m_lanesDirty = true;
}

void TimelineScene::setNow(WallTime now, bool live)
{
    m_now = now;
    m_live = live;
    update();
}

void TimelineScene::setScroll(int pixels)
{
    m_layout.scroll = std::clamp(pixels, 0, m_layout.largestScroll());
    m_lanesDirty = true;
    m_labelsDirty = true;
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
        m_lanesDirty = true;
        refreshSelection();
    }
    const TimeRange range = m_store->range().value_or(TimeRange{m_now, m_now});
    const bool goesOn = m_live || m_store->openCount() != 0;
    const WallTime end = goesOn ? std::max(range.end, m_now) : range.end;
    m_view.setContent(toNanoseconds(range.begin), toNanoseconds(end));
    m_axis.setClock(m_elapsed, toNanoseconds(range.begin));
}

void TimelineScene::refreshLayout()
{
    const std::size_t lanes = m_store == nullptr ? 0 : m_store->laneCount();
    m_layout.lanes = lanes;
    m_layout.height = std::max(0, m_size.height() - m_axis.height());
    m_layout.scroll = std::clamp(m_layout.scroll, 0, m_layout.largestScroll());
    m_labelWidth = 0;
    if (m_store != nullptr)
        m_labelWidth = std::min(
            std::max(m_leastLabelWidth, LaneLabels(*m_store, m_layout, m_font).width()),
            std::max(0, m_size.width()) / widestLabels);
    m_view.setWidth(lanesRect().width());
    m_barFont = m_font;
    const QFontMetrics metrics(m_font);
    const int room = m_layout.rowHeight() - 4;
    const int pixels = QFontInfo(m_font).pixelSize();
    if (metrics.ascent() + metrics.descent() > room)
        m_barFont.setPixelSize(
            std::clamp(pixels * room / metrics.height() + 1, smallestBarText, pixels));
    m_texts.clear();
    m_lanesDirty = true;
    m_labelsDirty = true;
}

void TimelineScene::refreshSelection()
{
    m_selected.clear();
    if (m_store != nullptr && m_selectedTask)
        m_selected = m_store->attemptsOf(*m_selectedTask, m_now);
}

void TimelineScene::setSelected(std::optional<TaskId> task, std::optional<AttemptKey> attempt)
{
    m_selectedTask = task;
    m_selectedAttempt = attempt;
    refreshSelection();
}

QRect TimelineScene::lanesRect() const
{
    const int top = m_axis.height();
    return {m_labelWidth, top, std::max(1, m_size.width() - m_labelWidth),
            std::max(1, m_size.height() - top)};
}

QRectF TimelineScene::rectOf(std::size_t row, const TimelineAttempt& attempt) const
{
    const QRect lanes = lanesRect();
    const WallTime end = attempt.outcome ? attempt.end : std::max(m_now, attempt.start);
    const double left = m_view.xOf(toNanoseconds(attempt.start));
    const double right = m_view.xOf(toNanoseconds(end));
    const RowLines lines = RowLines::of(m_layout, row, 1);
    return {lanes.left() + left, static_cast<double>(lanes.top() + lines.barTop),
            std::max(2.0, right - left), static_cast<double>(lines.barEnd - lines.barTop)};
}

std::optional<std::size_t> TimelineScene::rowAt(const QPoint& position) const
{
    const QRect lanes = lanesRect();
    if (position.x() < 0 || position.x() > lanes.right())
        return std::nullopt;
    return m_layout.rowAt(position.y() - lanes.top());
}

std::vector<TimelineAttempt> TimelineScene::attemptsNear(const QPoint& position) const
{
    constexpr int reach = 3; // pixels: as far as a failure's mark
    const QRect lanes = lanesRect();
    const auto row = rowAt(position);
    std::vector<TimelineAttempt> found;
    if (!row || !lanes.contains(position))
        return found;
    const double x = position.x() - lanes.left();
    for (int wider = 0; wider <= reach && found.empty(); wider += reach) {
        const WallTime begin = toWallTime(m_view.timeAt(x - wider));
        const WallTime end = toWallTime(m_view.timeAt(x + 1 + wider));
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
    if (isEmpty())
        return {};
    const std::vector<TimelineAttempt> found = attemptsNear(position);
    if (found.empty())
        return {};
    const LaneInfo& lane = m_store->lane(*rowAt(position));
    constexpr std::size_t fewest = 3; // up to two may meet in one pixel
    if (found.size() >= fewest)
        return AttemptText::ofMany(lane, found);
    const TimelineAttempt attempt = attemptAt(position)->attempt;
    return AttemptText::ofOne(lane, attempt, m_taskText ? m_taskText(attempt.key.task) : QString());
}

std::optional<PlacedAttempt> TimelineScene::chosen() const
{
    if (m_selected.empty())
        return std::nullopt;
    const auto found = std::find_if(m_selected.begin(), m_selected.end(), [this](const auto& item) {
        return m_selectedAttempt == item.second.key;
    });
    const auto& item = found == m_selected.end() ? m_selected.back() : *found;
    return PlacedAttempt{item.first, item.second};
}

std::optional<PlacedAttempt> TimelineScene::inNextLane(int step) const
{
    if (isEmpty())
        return std::nullopt;
    const auto from = chosen();
    const auto lanes = static_cast<std::ptrdiff_t>(m_store->laneCount());
    // Without a selection the first lane in sight is taken.
    auto row = from ? static_cast<std::ptrdiff_t>(from->row)
                    : static_cast<std::ptrdiff_t>(m_layout.visibleRows().first) - step;
    const TimeWindow& window = m_view.window();
    const WallTime time = from ? from->attempt.start + (from->attempt.end - from->attempt.start) / 2
                               : toWallTime(window.begin + window.span / 2);
    for (row += step; row >= 0 && row < lanes; row += step) {
        const auto index = static_cast<std::size_t>(row);
        auto near = m_store->attemptAt(index, time, m_now);
        if (!near)
            near = m_store->lastBefore(index, time, m_now);
        if (!near)
            near = m_store->firstAfter(index, time, m_now);
        if (near)
            return PlacedAttempt{index, *near};
    }
    return std::nullopt;
}

std::optional<PlacedAttempt> TimelineScene::inTime(int step) const
{
    const auto from = chosen();
    if (!from)
        return inNextLane(1);
    const WallTime start = from->attempt.start;
    const auto next = step < 0 ? m_store->lastBefore(from->row, start, m_now)
                               : m_store->firstAfter(from->row, start, m_now);
    return next ? std::optional(PlacedAttempt{from->row, *next}) : std::nullopt;
}

LaneContents TimelineScene::contents() const
{
    return {*m_store, m_view.window(), m_now, m_layout, m_palette, m_axis.ticks()};
}

} // namespace tasuki
