// SPDX-License-Identifier: GPL-3.0-or-later
// The part of TraceScene that knows what is where, and what is beside what.
#include "tracescene.h"
#include "tracetext.h"

#include <algorithm>
#include <cmath>

namespace tasuki {

namespace {

constexpr double arrowReach = 3;    ///< pixels
constexpr double callReach = 2;     ///< the same
constexpr std::size_t fewCalls = 3; ///< so many may meet in a pixel and still be told apart

} // namespace

std::optional<std::uint32_t> TraceScene::taskAt(const QPoint& position) const
{
    const QRect rows = rowsRect();
    if (position.x() < 0 || position.x() > rows.right())
        return std::nullopt;
    const auto row = m_layout.rowAt(position.y() - rows.top());
    return row ? std::optional(static_cast<std::uint32_t>(*row)) : std::nullopt;
}

/// Deeper layers lie above; of several in reach the longest is meant.
std::optional<std::uint32_t> TraceScene::spanAt(std::uint32_t task, const QPoint& position) const
{
    const QRect rows = rowsRect();
    const double x = position.x() - rows.left() + 0.5;
    const TraceRowLines bar = TraceRowLines::of(m_layout, task, 1);
    const int y = position.y() - rows.top();
    for (const double reach : {0.5, callReach + 0.5}) {
        const Nanoseconds begin = m_view.timeAt(x - reach);
        const Nanoseconds end = std::max(begin + 1, m_view.timeAt(x + reach));
        for (std::size_t layer = m_store->layers(task); layer-- > 0;) {
            const TraceRowLines lines = bar.inset(layer, 1);
            if (y < lines.barTop || y >= lines.barEnd)
                continue;
            std::optional<std::uint32_t> best;
            m_store->forEachSpan(task, layer, begin, end, [&](std::uint32_t span) {
                const bool call = m_store->timeline().spans[span].kind != plan::SpanKind::Compute;
                if (call
                    && (!best
                        || m_store->endOf(span) - m_store->beginOf(span)
                            > m_store->endOf(*best) - m_store->beginOf(*best)))
                    best = span;
            });
            if (best)
                return best;
        }
    }
    return std::nullopt;
}

TraceItem TraceScene::itemAt(const QPoint& position) const
{
    const QRect rows = rowsRect();
    if (isEmpty() || !rows.contains(position))
        return {};
    if (m_withMessages) {
        if (const auto arrow = lines().arrowAt(QPointF(position - rows.topLeft()), arrowReach))
            return {TraceItem::Kind::Message, *arrow};
    }
    const auto task = taskAt(position);
    if (!task)
        return {};
    const auto span = spanAt(*task, position);
    return span ? TraceItem{TraceItem::Kind::Call, m_store->wholeCall(*span).first} : TraceItem{};
}

QStringList TraceScene::linesOf(const TraceItem& item) const
{
    switch (item.kind) {
    case TraceItem::Kind::Call:
        return TraceText::ofCall(*m_store, item.index,
                                 noteOf(m_store->timeline().spans[item.index].task));
    case TraceItem::Kind::Message: return TraceText::ofMessage(*m_store, item.index);
    case TraceItem::Kind::Nothing: break;
    }
    return {};
}

QStringList TraceScene::describeRow(std::uint32_t task, const QPoint& position) const
{
    const QRect rows = rowsRect();
    const TraceRowLines bar = TraceRowLines::of(m_layout, task, 1);
    const int y = position.y() - rows.top();
    if (y < bar.barTop || y >= bar.barEnd)
        return {};
    const double x = position.x() - rows.left();
    const Nanoseconds begin = m_view.timeAt(x);
    const TimeWindow pixel{begin, std::max<Nanoseconds>(1, m_view.timeAt(x + 1) - begin)};
    const std::size_t calls = m_store->spansIn(task, pixel.begin, pixel.end());
    TraceColumns columns;
    m_store->summarise(task, pixel, 1, columns);
    if (calls > fewCalls + m_store->layers(task))
        return TraceText::ofMany(*m_store, trace::Task(task), calls, columns[0]);
    if (columns[0].dominating() == TraceCategories::compute && !spanAt(task, position))
        return TraceText::ofComputation(trace::Task(task), noteOf(trace::Task(task)));
    return {};
}

QString TraceScene::describe(const QPoint& position) const
{
    const QRect rows = rowsRect();
    if (isEmpty() || !rows.contains(position))
        return {};
    const TraceItem item = itemAt(position);
    const auto task = taskAt(position);
    if (!task)
        return TraceText::rich(linesOf(item));
    QStringList told;
    if (item.kind != TraceItem::Kind::Message)
        told = describeRow(*task, position);
    if (told.isEmpty())
        told = linesOf(item);
    if (m_withPath && lines().isPathCondensedAt(*task, position.x() - rows.left()))
        told << TraceText::ofCondensedPath();
    return TraceText::rich(told);
}

void TraceScene::select(const TraceItem& item) { m_selected = item; }

std::optional<std::uint32_t> TraceScene::selectedTask() const
{
    switch (m_selected.kind) {
    case TraceItem::Kind::Call: return m_store->timeline().spans[m_selected.index].task.value();
    case TraceItem::Kind::Message: return m_store->timeline().arrows[m_selected.index].from.value();
    case TraceItem::Kind::Nothing: break;
    }
    return std::nullopt;
}

TimeWindow TraceScene::timeOf(const TraceItem& item) const
{
    if (item.kind == TraceItem::Kind::Message) {
        const plan::TimelineArrow& arrow = m_store->timeline().arrows[item.index];
        const Nanoseconds begin = toNanoseconds(std::min(arrow.sentUs, arrow.arrivedUs));
        return {begin, toNanoseconds(std::max(arrow.sentUs, arrow.arrivedUs)) - begin};
    }
    const auto [first, last] = m_store->wholeCall(item.index);
    return {m_store->beginOf(first), m_store->endOf(last) - m_store->beginOf(first)};
}

TraceItem TraceScene::besideInTask(int step) const
{
    if (isEmpty())
        return {};
    std::optional<std::uint32_t> span;
    if (m_selected.kind == TraceItem::Kind::Call) {
        span = m_store->nextCall(m_selected.index, step);
    } else {
        // From a message to the call at the end of it that the key points to.
        const TimeWindow& window = m_view.window();
        std::uint32_t task = 0;
        Nanoseconds time = window.begin + window.span / 2;
        if (m_selected.kind == TraceItem::Kind::Message) {
            const plan::TimelineArrow& arrow = m_store->timeline().arrows[m_selected.index];
            task = (step < 0 ? arrow.from : arrow.to).value();
            time = toNanoseconds(step < 0 ? arrow.sentUs : arrow.arrivedUs);
        } else {
            task = static_cast<std::uint32_t>(m_layout.visibleRows().first);
        }
        span = m_store->callNear(task, time);
    }
    return span ? TraceItem{TraceItem::Kind::Call, *span} : TraceItem{};
}

TraceItem TraceScene::besideInNextTask(int step) const
{
    if (isEmpty())
        return {};
    const auto from = selectedTask();
    if (!from)
        return besideInTask(step);
    const TimeWindow time = timeOf(m_selected);
    const std::int64_t tasks = m_store->tasks();
    for (std::int64_t task = std::int64_t{*from} + step; task >= 0 && task < tasks; task += step) {
        const auto near = m_store->callNear(static_cast<std::uint32_t>(task),
                                            time.begin + time.span / 2);
        if (near)
            return {TraceItem::Kind::Call, *near};
    }
    return {};
}

TraceItem TraceScene::alongMessage() const
{
    if (m_selected.kind == TraceItem::Kind::Message)
        return besideInTask(1);
    if (m_selected.kind != TraceItem::Kind::Call)
        return {};
    const auto messages = m_store->messagesOf(m_selected.index, 1);
    return messages.empty() ? TraceItem{} : TraceItem{TraceItem::Kind::Message, messages.front()};
}

} // namespace tasuki
