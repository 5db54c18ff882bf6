// SPDX-License-Identifier: GPL-3.0-or-later
#include "traceselection.h"

#include <algorithm>

namespace tasuki {

namespace {

TraceItem callOf(std::optional<std::uint32_t> span)
{
    return span ? TraceItem{TraceItem::Kind::Call, *span} : TraceItem{};
}

} // namespace

std::optional<std::uint32_t> TraceSelection::task(const TraceStore& store) const
{
    switch (m_item.kind) {
    case TraceItem::Kind::Call: return store.timeline().spans[m_item.index].task.value();
    case TraceItem::Kind::Message: return store.timeline().arrows[m_item.index].from.value();
    case TraceItem::Kind::Nothing: break;
    }
    return std::nullopt;
}

TimeWindow TraceSelection::timeOf(const TraceStore& store, const TraceItem& item)
{
    if (item.kind == TraceItem::Kind::Message) {
        const plan::TimelineArrow& arrow = store.timeline().arrows[item.index];
        const Nanoseconds begin = toNanoseconds(std::min(arrow.sentUs, arrow.arrivedUs));
        return {begin, toNanoseconds(std::max(arrow.sentUs, arrow.arrivedUs)) - begin};
    }
    const auto [first, last] = store.wholeCall(item.index);
    return {store.beginOf(first), store.endOf(last) - store.beginOf(first)};
}

TraceItem TraceSelection::inTask(const TraceStore& store, int step, const Start& start) const
{
    switch (m_item.kind) {
    case TraceItem::Kind::Call: return callOf(store.nextCall(m_item.index, step));
    case TraceItem::Kind::Message: {
        const plan::TimelineArrow& arrow = store.timeline().arrows[m_item.index];
        const trace::Task task = step < 0 ? arrow.from : arrow.to;
        return callOf(
            store.callNear(task.value(), toNanoseconds(step < 0 ? arrow.sentUs : arrow.arrivedUs)));
    }
    case TraceItem::Kind::Nothing: break;
    }
    return callOf(store.callNear(start.task, start.time));
}

TraceItem TraceSelection::inNextTask(const TraceStore& store, int step, const Start& start) const
{
    const auto from = task(store);
    if (!from)
        return inTask(store, step, start);
    const TimeWindow time = timeOf(store, m_item);
    const std::int64_t tasks = store.tasks();
    for (std::int64_t next = std::int64_t{*from} + step; next >= 0 && next < tasks; next += step) {
        if (const auto near = store.callNear(static_cast<std::uint32_t>(next),
                                             time.begin + time.span / 2))
            return callOf(near);
    }
    return {};
}

TraceItem TraceSelection::alongMessage(const TraceStore& store) const
{
    if (m_item.kind == TraceItem::Kind::Message)
        return inTask(store, 1, {});
    if (m_item.kind != TraceItem::Kind::Call)
        return {};
    const auto messages = store.messagesOf(m_item.index, 1);
    return messages.empty() ? TraceItem{} : TraceItem{TraceItem::Kind::Message, messages.front()};
}

} // namespace tasuki
