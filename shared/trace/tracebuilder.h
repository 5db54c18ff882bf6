// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "alogheader.h"
#include "aloglimits.h"
#include "alogline.h"
#include "messagematcher.h"
#include "statetable.h"
#include "trace.h"
#include "tracediagnostics.h"

#include <limits>
#include <optional>
#include <vector>

namespace tasuki::trace {

/// The time of a record, and where it stands.
struct RecordTime {
    std::int64_t us = 0;
    AlogField field = AlogField::Timestamp; ///< Tag: the dialect with a field more
};

/// Makes a Trace of the records of a log: calls out of their begins and ends, messages out of theirs.
class TraceBuilder {
public:
    /// @param states, diagnostics  must outlive the builder
    TraceBuilder(const AlogLimits& limits, TraceDiagnostics& diagnostics, StateTable& states)
        : m_limits(limits), m_diagnostics(diagnostics), m_states(states)
    {}

    void addEvent(const LinePlace& place, const EventLine& event, RecordTime time,
                  std::string_view comment);
    void addMessage(const LinePlace& place, const MessageLine& message, RecordTime time);

    /// The log tells threads apart, by a field that others fill with what they like.
    void tellThreads(bool areTold) { m_threadsAreTold = areTold; }
    /// Makes room for the records of a log of so many bytes.
    void expect(std::uint64_t bytes);
    [[nodiscard]] std::uint64_t events() const { return m_trace.events.size(); }
    /// The time of the earliest record, if there is one.
    [[nodiscard]] std::int64_t firstUs() const { return m_firstUs; }
    /// @return whether the log has more events than indexes can tell apart; then nothing more is taken
    [[nodiscard]] bool full() const { return m_full; }

    /// Closes what is open, tells of messages without their other end and of tasks that the log does
    /// not announce. The builder is spent.
    /// @param startUs  from which times count
    /// @return all but creator and names of the tasks
    Trace finish(const AlogHeader::Announced& processes, std::int64_t startUs);

private:
    static constexpr std::int64_t beforeAll = std::numeric_limits<std::int64_t>::min();

    /// A call that has not ended.
    struct Open {
        std::uint32_t call = 0;
        std::uint64_t line = 0;
        std::uint16_t thread = 0;
    };
    struct TaskState {
        std::int64_t latestUs = beforeAll;
        std::uint64_t firstLine = 0; ///< 0: neither a record nor a peer of one yet
        std::vector<Open> open;      ///< the outermost first
    };

    void takeThread(std::int64_t thread);
    [[nodiscard]] std::optional<Task> task(const LinePlace& place, std::int64_t rank,
                                           AlogField field);
    void tellRank(const LinePlace& place, std::int64_t rank, AlogField field);
    /// A record that is taken brings its task into being, and that of its peer.
    TaskState& stateOf(const LinePlace& place, Task task);
    bool room(const LinePlace& place);
    void append(const LinePlace& place, Task task, RecordTime time, EventKind kind,
                std::size_t subject);
    void begin(const LinePlace& place, Task task, RecordTime time, std::uint32_t state,
               std::string_view comment);
    void end(const LinePlace& place, Task task, RecordTime time, std::uint32_t state);
    void mark(const LinePlace& place, Task task, RecordTime time, const EventLine& event,
              std::string_view comment);
    void join(std::uint32_t index, const MessageLine& line, std::uint32_t request);
    void tellUnknown(const LinePlace& place, std::int32_t type);
    void countFrom(std::int64_t startUs);
    void closeCalls();
    void tellLonelyMessages();
    void countTasks(const AlogHeader::Announced& processes);
    [[nodiscard]] const std::string& nameOf(const Open& open) const;

    AlogLimits m_limits;
    TraceDiagnostics& m_diagnostics;
    StateTable& m_states;
    MessageMatcher m_matcher;
    std::vector<TaskState> m_tasks;
    Trace m_trace;
    std::int64_t m_firstUs = std::numeric_limits<std::int64_t>::max();
    bool m_full = false;
    bool m_threadsAreTold = false;
    std::uint16_t m_thread = 0; ///< of the record that is being taken
};

} // namespace tasuki::trace
