// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracestore.h"

#include <algorithm>
#include <limits>

namespace tasuki {

namespace {

/// Messages beyond these are not looked at for those of one call, nor spans for a counterpart.
constexpr std::size_t mostLookedAt = 100'000;

/// Looks at indexes farther and farther from a place.
/// @return the first that `isIt` takes; none: it is not near
template <class IsIt>
std::optional<std::size_t> searchFrom(std::size_t place, std::size_t size, IsIt isIt)
{
    const std::size_t from = size == 0 ? 0 : std::min(place, size - 1);
    for (std::size_t off = 0; off < std::min(size, mostLookedAt); ++off) {
        if (from + off < size && isIt(from + off))
            return from + off;
        if (off <= from && isIt(from - off))
            return from - off;
    }
    return std::nullopt;
}

} // namespace

TraceStore::TraceStore(std::shared_ptr<const plan::Timeline> timeline,
                       std::shared_ptr<const trace::Trace> trace)
    : m_timeline(std::move(timeline)),
      m_trace(std::move(trace)),
      m_categories(m_trace.get()),
      m_arrows(*m_timeline),
      m_path(*m_timeline)
{
    const bool logsCallsAlone = std::ranges::none_of(
        m_timeline->spans,
        [](const plan::TimelineSpan& span) { return span.kind == plan::SpanKind::Compute; });
    m_gap = logsCallsAlone ? TraceCategories::compute : TraceCategories::idle;
    TraceStoreBuilder builder(m_timeline->tasks, m_categories.count(), m_gap);
    for (std::uint32_t i = 0; i < m_timeline->spans.size(); ++i) {
        const plan::TimelineSpan& span = m_timeline->spans[i];
        if (span.task.value() < m_timeline->tasks)
            builder.add(i, span, m_categories.of(span));
    }
    m_tasks = std::move(builder).take(m_occurs);
}

void TraceStore::summarise(std::uint32_t task, const TimeWindow& window, std::size_t count,
                           TraceColumns& columns) const
{
    m_tasks[task].lane.summarise(window, count, columns);
}

Nanoseconds TraceStore::beginOf(std::uint32_t span) const
{
    return toNanoseconds(m_timeline->spans[span].beginUs);
}

Nanoseconds TraceStore::endOf(std::uint32_t span) const
{
    return std::max(toNanoseconds(m_timeline->spans[span].endUs), beginOf(span));
}

std::size_t TraceStore::firstSeenFrom(const Layer& layer, Nanoseconds time) const
{
    // What has no length is seen where it begins.
    const auto first = std::ranges::partition_point(layer, [this, time](std::uint32_t span) {
        return endOf(span) <= time && beginOf(span) < time;
    });
    return static_cast<std::size_t>(first - layer.begin());
}

std::size_t TraceStore::firstBeginningFrom(const Layer& layer, Nanoseconds time) const
{
    const auto first = std::ranges::partition_point(
        layer, [this, time](std::uint32_t span) { return beginOf(span) < time; });
    return static_cast<std::size_t>(first - layer.begin());
}

std::size_t TraceStore::spansIn(std::uint32_t task, Nanoseconds begin, Nanoseconds end) const
{
    std::size_t count = 0;
    for (const Layer& layer : m_tasks[task].layers) {
        const std::size_t first = firstSeenFrom(layer, begin);
        count += std::max(first, firstBeginningFrom(layer, end)) - first;
    }
    return count;
}

void TraceStore::forEachSpan(std::uint32_t task, std::size_t layer, Nanoseconds begin,
                             Nanoseconds end, const std::function<void(std::uint32_t)>& visit) const
{
    const Layer& spans = m_tasks[task].layers[layer];
    for (std::size_t i = firstSeenFrom(spans, begin); i < spans.size() && beginOf(spans[i]) < end;
         ++i)
        visit(spans[i]);
}

bool TraceStore::isCall(std::uint32_t span) const
{
    return m_timeline->spans[span].kind != plan::SpanKind::Compute;
}

bool TraceStore::isSameCall(std::uint32_t span, std::uint32_t other) const
{
    const plan::TimelineSpan& one = m_timeline->spans[span];
    const plan::TimelineSpan& two = m_timeline->spans[other];
    return span == other
        || (isCall(span) && isCall(other) && one.task == two.task && one.call == two.call
            && one.call != trace::none);
}

const TraceTaskSpans& TraceStore::spansWith(std::uint32_t span) const
{
    return m_tasks[m_timeline->spans[span].task.value()];
}

/// In the layers of a task the indexes of spans grow.
TraceStore::Place TraceStore::placeOf(std::uint32_t span) const
{
    const std::vector<Layer>& layers = spansWith(span).layers;
    for (std::size_t layer = 0; layer < layers.size(); ++layer) {
        const auto found = std::ranges::lower_bound(layers[layer], span);
        if (found != layers[layer].end() && *found == span)
            return {layer, static_cast<std::size_t>(found - layers[layer].begin())};
    }
    return {};
}

std::pair<std::uint32_t, std::uint32_t> TraceStore::wholeCall(std::uint32_t span) const
{
    const Place place = placeOf(span);
    const Layer& layer = spansWith(span).layers[place.layer];
    std::size_t first = place.index;
    std::size_t last = place.index;
    while (first > 0 && isSameCall(layer[first - 1], span))
        --first;
    while (last + 1 < layer.size() && isSameCall(layer[last + 1], span))
        ++last;
    return {layer[first], layer[last]};
}

void TraceStore::forEachSpanOfCall(std::uint32_t span,
                                   const std::function<void(std::uint32_t)>& visit) const
{
    const auto [first, last] = wholeCall(span);
    const Layer& layer = spansWith(span).layers[placeOf(span).layer];
    for (auto at = std::ranges::lower_bound(layer, first); at != layer.end() && *at <= last; ++at)
        visit(*at);
}

std::optional<std::uint32_t> TraceStore::callBeside(const Layer& layer, std::uint32_t span,
                                                    int step) const
{
    const auto fits = [this, span](std::uint32_t other) {
        return isCall(other) && !isSameCall(other, span);
    };
    if (step > 0) {
        const auto found = std::find_if(std::ranges::upper_bound(layer, span), layer.end(), fits);
        return found == layer.end() ? std::nullopt : std::optional(*found);
    }
    const auto end = std::make_reverse_iterator(std::ranges::lower_bound(layer, span));
    const auto found = std::find_if(end, layer.rend(), fits);
    return found == layer.rend() ? std::nullopt : std::optional(*found);
}

std::optional<std::uint32_t> TraceStore::nextCall(std::uint32_t span, int step) const
{
    std::optional<std::uint32_t> best;
    for (const Layer& layer : spansWith(span).layers) {
        const auto beside = callBeside(layer, span, step);
        if (beside && (!best || (step > 0 ? *beside < *best : *beside > *best)))
            best = beside;
    }
    return best ? std::optional(wholeCall(*best).first) : std::nullopt;
}

std::optional<std::uint32_t> TraceStore::callNear(std::uint32_t task, Nanoseconds time) const
{
    std::optional<std::uint32_t> best;
    Nanoseconds nearest = std::numeric_limits<Nanoseconds>::max();
    const auto look = [&](std::optional<std::uint32_t> span) {
        if (!span)
            return;
        const Nanoseconds distance = std::max(
            {beginOf(*span) - time, time - endOf(*span), Nanoseconds(0)});
        // Those of deeper layers come later, and count where both are at the time.
        if (distance <= nearest) {
            nearest = distance;
            best = span;
        }
    };
    for (const Layer& layer : m_tasks[task].layers) {
        const std::size_t at = firstSeenFrom(layer, time);
        const auto from = layer.begin() + static_cast<std::ptrdiff_t>(at);
        const auto call = [this](std::uint32_t span) { return isCall(span); };
        const auto before = std::find_if(std::make_reverse_iterator(from), layer.rend(), call);
        if (before != layer.rend())
            look(*before);
        const auto after = std::find_if(from, layer.end(), call);
        if (after != layer.end())
            look(*after);
    }
    return best ? std::optional(wholeCall(*best).first) : std::nullopt;
}

bool TraceStore::isLoggedIn(std::uint32_t event, std::uint32_t call, bool isSend) const
{
    const trace::Call& logged = m_trace->calls[call];
    const std::int64_t time = m_trace->events[event].timeUs;
    if (logged.beginUs == logged.endUs)
        return time == logged.beginUs;
    return isSend ? time >= logged.beginUs && time < logged.endUs
                  : time > logged.beginUs && time <= logged.endUs;
}

bool TraceStore::sends(const plan::TimelineArrow& arrow, std::uint32_t span) const
{
    const plan::TimelineSpan& part = m_timeline->spans[span];
    if (arrow.from != part.task)
        return false;
    const bool known = m_trace && arrow.message < m_trace->messages.size()
        && part.call < m_trace->calls.size();
    return !known || isLoggedIn(m_trace->messages[arrow.message].sent, part.call, true);
}

bool TraceStore::receives(const plan::TimelineArrow& arrow, std::uint32_t span) const
{
    const plan::TimelineSpan& part = m_timeline->spans[span];
    if (arrow.to != part.task)
        return false;
    if (m_trace && arrow.message < m_trace->messages.size() && part.call < m_trace->calls.size())
        return isLoggedIn(m_trace->messages[arrow.message].received, part.call, false);
    return toNanoseconds(arrow.arrivedUs) > beginOf(wholeCall(span).first);
}

std::vector<std::uint32_t> TraceStore::messagesOf(std::uint32_t span, std::size_t most) const
{
    const auto [first, last] = wholeCall(span);
    const Nanoseconds begin = beginOf(first);
    const Nanoseconds end = endOf(last);
    std::vector<std::uint32_t> found;
    std::size_t looked = 0;
    m_arrows.forEachIn(begin, end + 1, [&](std::uint32_t index) {
        const plan::TimelineArrow& arrow = m_timeline->arrows[index];
        const Nanoseconds sent = toNanoseconds(arrow.sentUs);
        if (sent >= begin && sent <= end && sends(arrow, span))
            found.push_back(index);
        return found.size() < most && ++looked < mostLookedAt;
    });
    looked = 0;
    // A message that a call receives may have been there long before.
    m_arrows.forEachArrivedUntil(end, [&](std::uint32_t index) {
        const plan::TimelineArrow& arrow = m_timeline->arrows[index];
        if (found.size() < most && receives(arrow, span))
            found.push_back(index);
        const bool before = toNanoseconds(arrow.arrivedUs) < begin;
        return found.size() < most && ++looked < (before ? mostLookedAt / 100 : mostLookedAt);
    });
    std::ranges::sort(found);
    found.erase(std::unique(found.begin(), found.end()), found.end());
    return found;
}

TraceItem TraceStore::counterpart(const TraceStore& other, const TraceItem& item) const
{
    if (item.kind == TraceItem::Kind::Message) {
        const std::uint32_t message = m_timeline->arrows[item.index].message;
        const auto& arrows = other.timeline().arrows;
        const auto found = searchFrom(item.index, arrows.size(), [&](std::size_t i) {
            return message != trace::none && arrows[i].message == message;
        });
        return found ? TraceItem{item.kind, static_cast<std::uint32_t>(*found)} : TraceItem{};
    }
    if (item.kind == TraceItem::Kind::Nothing)
        return {};
    const plan::TimelineSpan& span = m_timeline->spans[item.index];
    if (span.call == trace::none || span.task.value() >= other.tasks())
        return {};
    const Place place = placeOf(item.index);
    for (const Layer& layer : other.m_tasks[span.task.value()].layers) {
        const auto found = searchFrom(place.index, layer.size(), [&](std::size_t i) {
            return other.timeline().spans[layer[i]].call == span.call;
        });
        if (found)
            return {item.kind, other.wholeCall(layer[*found]).first};
    }
    return {};
}

std::size_t TraceStore::memoryBytes() const
{
    std::size_t bytes = m_arrows.memoryBytes();
    for (const TraceTaskSpans& task : m_tasks) {
        bytes += task.lane.memoryBytes();
        for (const Layer& layer : task.layers)
            bytes += layer.capacity() * sizeof(std::uint32_t);
    }
    return bytes;
}

} // namespace tasuki
