// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "arrowindex.h"
#include "pathindex.h"
#include "tracecategories.h"
#include "tracestorebuilder.h"
#include "tracetimes.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

namespace tasuki {

/// A call or a message of a timeline.
struct TraceItem {
    enum class Kind : std::uint8_t { Nothing, Call, Message };
    Kind kind = Kind::Nothing;
    std::uint32_t index = 0; ///< in Timeline::spans, of a message in Timeline::arrows
    bool operator==(const TraceItem&) const = default;
};

/// A timeline made ready for drawing: what a task does in any stretch of time is found without
/// looking at every span. Never changes; reading is safe from any thread.
class TraceStore {
public:
    /// Takes some 0.1 microseconds a span. May be called in any thread.
    /// @param timeline  not null. Spans of tasks that it does not have are left out
    /// @param trace     which the indexes in it mean; null: calls have no names
    TraceStore(std::shared_ptr<const plan::Timeline> timeline,
               std::shared_ptr<const trace::Trace> trace);

    [[nodiscard]] const plan::Timeline& timeline() const { return *m_timeline; }
    [[nodiscard]] const trace::Trace* trace() const { return m_trace.get(); }
    [[nodiscard]] const TraceCategories& categories() const { return m_categories; }
    [[nodiscard]] const ArrowIndex& arrows() const { return m_arrows; }
    [[nodiscard]] const PathIndex& path() const { return m_path; }
    [[nodiscard]] std::uint32_t tasks() const { return m_timeline->tasks; }
    [[nodiscard]] Nanoseconds end() const { return toNanoseconds(m_timeline->endUs); }
    /// Whether a category occurs at all.
    [[nodiscard]] bool has(TraceCategory category) const { return m_occurs[category]; }
    /// Whether time in which a task is in no state is computation: a log tells of calls alone.
    [[nodiscard]] bool gapsAreComputation() const { return m_gap == TraceCategories::compute; }

    /// Says what a task does in each column of a window.
    void summarise(std::uint32_t task, const TimeWindow& window, std::size_t count,
                   TraceColumns& columns) const;

    /// Spans of one layer of a task do not overlap; those of deeper layers stand in others.
    [[nodiscard]] std::size_t layers(std::uint32_t task) const
    {
        return m_tasks[task].layers.size();
    }
    /// @return how many spans of a task are to be seen in [begin, end), of all layers
    [[nodiscard]] std::size_t spansIn(std::uint32_t task, Nanoseconds begin, Nanoseconds end) const;
    /// Calls with the index in Timeline::spans of each span of a layer that is to be seen in
    /// [begin, end), in order of time; those of no length too.
    void forEachSpan(std::uint32_t task, std::size_t layer, Nanoseconds begin, Nanoseconds end,
                     const std::function<void(std::uint32_t)>& visit) const;

    /// @return where the last span of a task ends; 0 when it has none
    [[nodiscard]] Nanoseconds endOfTask(std::uint32_t task) const
    {
        return m_tasks[task].lane.lastBegin();
    }
    [[nodiscard]] Nanoseconds beginOf(std::uint32_t span) const;
    /// @return not before the begin
    [[nodiscard]] Nanoseconds endOf(std::uint32_t span) const;
    /// @return how many states a span is drawn in
    [[nodiscard]] std::size_t layerOf(std::uint32_t span) const { return placeOf(span).layer; }
    /// A call that a prediction cuts into work and waiting is several spans.
    [[nodiscard]] bool isSameCall(std::uint32_t span, std::uint32_t other) const;
    /// @return the first and the last span of the call that a span is of
    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> wholeCall(std::uint32_t span) const;

    void forEachSpanOfCall(std::uint32_t span,
                           const std::function<void(std::uint32_t)>& visit) const;

    /// @param step  -1: before, 1: after
    /// @return the begin of the task's call before or after the one that a span is of
    [[nodiscard]] std::optional<std::uint32_t> nextCall(std::uint32_t span, int step) const;
    /// @return the innermost call at a time, else the one that is nearest to it
    [[nodiscard]] std::optional<std::uint32_t> callNear(std::uint32_t task, Nanoseconds time) const;
    /// @return messages that a call sends or receives, at most `most`, in the order of their sends
    [[nodiscard]] std::vector<std::uint32_t> messagesOf(std::uint32_t span, std::size_t most) const;

    /// @return what stands for the same in another timeline of the same trace, if it is there
    [[nodiscard]] TraceItem counterpart(const TraceStore& other, const TraceItem& item) const;

    /// Without timeline and trace.
    [[nodiscard]] std::size_t memoryBytes() const;

private:
    using Layer = std::vector<std::uint32_t>; ///< indexes in Timeline::spans
    struct Place {
        std::size_t layer = 0;
        std::size_t index = 0;
    };

    [[nodiscard]] bool isCall(std::uint32_t span) const;
    [[nodiscard]] const TraceTaskSpans& spansWith(std::uint32_t span) const;
    [[nodiscard]] Place placeOf(std::uint32_t span) const;
    /// @return the nearest span of another call before or after a span
    [[nodiscard]] std::optional<std::uint32_t> callBeside(const Layer& layer, std::uint32_t span,
                                                          int step) const;
    /// @return the first of a layer that is not over at a time
    [[nodiscard]] std::size_t firstSeenFrom(const Layer& layer, Nanoseconds time) const;
    [[nodiscard]] std::size_t firstBeginningFrom(const Layer& layer, Nanoseconds time) const;
    [[nodiscard]] bool sends(const plan::TimelineArrow& arrow, std::uint32_t span) const;
    [[nodiscard]] bool receives(const plan::TimelineArrow& arrow, std::uint32_t span) const;
    /// @return whether the trace has a record within a call; a send's may be at the begin, a
    ///         receive's at the end
    [[nodiscard]] bool isLoggedIn(std::uint32_t event, std::uint32_t call, bool isSend) const;

    std::shared_ptr<const plan::Timeline> m_timeline;
    std::shared_ptr<const trace::Trace> m_trace;
    TraceCategories m_categories;
    ArrowIndex m_arrows;
    PathIndex m_path;
    TraceCategory m_gap = TraceCategories::compute;
    std::array<bool, TraceCategories::most> m_occurs{};
    std::vector<TraceTaskSpans> m_tasks;
};

} // namespace tasuki
