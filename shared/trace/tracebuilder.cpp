// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracebuilder.h"

#include "commentwords.h"

#include <algorithm>
#include <iterator>
#include <utility>

namespace tasuki::trace {

namespace {

/// So many calls are looked at for the one that a record ends: a log where nothing ends costs no more.
constexpr std::size_t deepestSearch = 1024;

std::string taskText(Task task) { return "task " + std::to_string(task.value()); }

/// Tells of words with bad values where they stand.
class WordComplaints {
public:
    WordComplaints(TraceDiagnostics& diagnostics, const LinePlace& place)
        : m_diagnostics(diagnostics), m_place(place)
    {}
    void operator()(std::string_view word, std::string_view expected) const
    {
        const auto offset = static_cast<std::uint64_t>(word.data() - m_place.text.data());
        m_diagnostics.warn(m_place.line, offset + 1, [&] {
            return Finding{"the value of " + inQuotes(word) + " cannot be used",
                           std::string(expected) + "; the word is left out"};
        });
    }

private:
    TraceDiagnostics& m_diagnostics;
    const LinePlace& m_place;
};

} // namespace

void TraceBuilder::expect(std::uint64_t bytes)
{
    // Typical lines; pages that stay empty cost nothing.
    constexpr std::uint64_t lineBytes = 24;
    const std::uint64_t lines = std::min(bytes / lineBytes, m_limits.events);
    m_trace.events.reserve(lines);
    m_trace.calls.reserve(lines / 2);
}

void TraceBuilder::takeThread(std::int64_t thread)
{
    constexpr std::int64_t most = std::numeric_limits<std::uint16_t>::max();
    m_thread = m_threadsAreTold
        ? static_cast<std::uint16_t>(std::clamp<std::int64_t>(thread, 0, most))
        : std::uint16_t{0};
}

std::optional<Task> TraceBuilder::task(const LinePlace& place, std::int64_t rank, AlogField field)
{
    if (rank >= 0 && rank < std::int64_t{m_limits.tasks}) [[likely]]
        return Task(static_cast<std::uint32_t>(rank));
    tellRank(place, rank, field);
    return std::nullopt;
}

void TraceBuilder::tellRank(const LinePlace& place, std::int64_t rank, AlogField field)
{
    m_diagnostics.warn(place.line, columnOf(place.text, field), [&] {
        return Finding{
            (field == AlogField::Process ? "process " : "the message's other end is process ")
                + std::to_string(rank),
            "expected a process from 0 to " + std::to_string(m_limits.tasks - 1)
                + "; the line is left out"};
    });
}

TraceBuilder::TaskState& TraceBuilder::stateOf(const LinePlace& place, Task task)
{
    if (task.value() >= m_tasks.size()) [[unlikely]]
        m_tasks.resize(std::size_t{task.value()} + 1);
    TaskState& state = m_tasks[task.value()];
    if (state.firstLine == 0) [[unlikely]]
        state.firstLine = place.line;
    return state;
}

bool TraceBuilder::room(const LinePlace& place)
{
    if (m_trace.events.size() < m_limits.events) [[likely]]
        return true;
    if (!std::exchange(m_full, true)) {
        m_diagnostics.fail(place.line, 1,
                           {"the log has more than " + std::to_string(m_limits.events) + " events",
                            "trace a shorter part of the program"});
    }
    return false;
}

void TraceBuilder::append(const LinePlace& place, Task task, RecordTime time, EventKind kind,
                          std::size_t subject)
{
    TaskState& state = stateOf(place, task);
    if (time.us < state.latestUs) [[unlikely]] {
        m_diagnostics.warn(place.line, columnOf(place.text, time.field), [&] {
            return Finding{"the time of " + taskText(task) + " goes back from "
                               + std::to_string(state.latestUs) + " to " + std::to_string(time.us),
                           "expected times that grow within a task; the earlier one is taken"};
        });
        time.us = state.latestUs;
    }
    if (state.latestUs == beforeAll) [[unlikely]]
        m_firstUs = std::min(m_firstUs, time.us);
    state.latestUs = time.us;
    m_trace.events.push_back({.timeUs = time.us,
                              .task = task,
                              .subject = static_cast<std::uint32_t>(subject),
                              .kind = kind,
                              .thread = m_thread});
}

void TraceBuilder::tellUnknown(const LinePlace& place, std::int32_t type)
{
    m_diagnostics.warn(place.line, columnOf(place.text, AlogField::Type), [&] {
        return Finding{"unknown record type " + std::to_string(type),
                       "a header -13 or -9 would tell what it is; its records are taken as marks"};
    });
}

void TraceBuilder::addEvent(const LinePlace& place, const EventLine& event, RecordTime time,
                            std::string_view comment)
{
    if (event.type > std::numeric_limits<std::int32_t>::max()
        || event.type < std::numeric_limits<std::int32_t>::min()) {
        m_diagnostics.warn(place.line, columnOf(place.text, AlogField::Type), [&] {
            return Finding{"the number " + std::to_string(event.type) + " is out of range as type",
                           "expected at most 2147483647; the line is left out"};
        });
        return;
    }
    const auto found = task(place, event.process, AlogField::Process);
    if (!found || !room(place))
        return;
    takeThread(event.thread);
    const auto type = static_cast<std::int32_t>(event.type);
    StateTable::Meaning meaning = m_states.find(type);
    if (!meaning.met) [[unlikely]] {
        const bool isKnown = meaning.role != StateTable::Role::Unknown;
        meaning = m_states.meet(type, place.line);
        if (!isKnown && meaning.role == StateTable::Role::Mark)
            tellUnknown(place, type);
    }
    switch (meaning.role) {
    case StateTable::Role::Begin: return begin(place, *found, time, meaning.state, comment);
    case StateTable::Role::End: return end(place, *found, time, meaning.state);
    case StateTable::Role::Unknown:
    case StateTable::Role::Mark: return mark(place, *found, time, event, comment);
    }
}

void TraceBuilder::begin(const LinePlace& place, Task task, RecordTime time, std::uint32_t state,
                         std::string_view comment)
{
    const std::size_t index = m_trace.calls.size();
    append(place, task, time, EventKind::Begin, index);
    std::vector<Open>& open = m_tasks[task.value()].open;
    Call call{.state = state,
              .task = task,
              .beginUs = m_trace.events.back().timeUs,
              .endUs = m_trace.events.back().timeUs,
              .depth = static_cast<std::uint32_t>(open.size()),
              .detail = none};
    if (CallDetail detail;
        !comment.empty() && readCallWords(comment, detail, WordComplaints(m_diagnostics, place))) {
        call.detail = static_cast<std::uint32_t>(m_trace.details.size());
        m_trace.details.push_back(std::move(detail));
    }
    m_trace.calls.push_back(call);
    open.push_back(
        {.call = static_cast<std::uint32_t>(index), .line = place.line, .thread = m_thread});
}

const std::string& TraceBuilder::nameOf(const Open& open) const
{
    return m_states.states()[m_trace.calls[open.call].state].name;
}

void TraceBuilder::end(const LinePlace& place, Task task, RecordTime time, std::uint32_t state)
{
    static const std::vector<Open> nothing;
    const bool isKnown = task.value() < m_tasks.size();
    const std::vector<Open>& open = isKnown ? m_tasks[task.value()].open : nothing;
    const auto depth = static_cast<std::ptrdiff_t>(std::min(open.size(), deepestSearch));
    const auto last = open.rbegin() + depth;
    const auto found = std::find_if(open.rbegin(), last, [&](const Open& one) {
        return one.thread == m_thread && m_trace.calls[one.call].state == state;
    });
    if (found == last) {
        m_diagnostics.warn(place.line, columnOf(place.text, AlogField::Type), [&] {
            return Finding{inQuotes(m_states.states()[state].name) + " of " + taskText(task)
                               + " ends without a begin",
                           "expected a record of type "
                               + std::to_string(m_states.states()[state].beginId)
                               + " before it; the line is left out"};
        });
        return;
    }
    const auto inner = std::find_if(open.rbegin(), found,
                                    [&](const Open& one) { return one.thread == m_thread; });
    if (inner != found) {
        m_diagnostics.warn(place.line, columnOf(place.text, AlogField::Type), [&] {
            return Finding{inQuotes(nameOf(*found)) + " of " + taskText(task) + " ends before "
                               + inQuotes(nameOf(*inner)) + ", which began in it in line "
                               + std::to_string(inner->line),
                           "expected states one inside the other"};
        });
    }
    const std::uint32_t call = found->call;
    m_tasks[task.value()].open.erase(std::next(found).base());
    append(place, task, time, EventKind::End, call);
    m_trace.calls[call].endUs = m_trace.events.back().timeUs;
}

void TraceBuilder::mark(const LinePlace& place, Task task, RecordTime time, const EventLine& event,
                        std::string_view comment)
{
    append(place, task, time, EventKind::Mark, m_trace.marks.size());
    m_trace.marks.push_back({.id = static_cast<std::int32_t>(event.type),
                             .data = event.data,
                             .comment = std::string(comment)});
}

void TraceBuilder::addMessage(const LinePlace& place, const MessageLine& line, RecordTime time)
{
    const auto tellRange = [&](AlogField field, std::int64_t value, std::string_view expected) {
        const auto shift = static_cast<unsigned>(line.shifted);
        const auto plain = static_cast<AlogField>(static_cast<unsigned>(field) + shift);
        m_diagnostics.warn(place.line, columnOf(place.text, plain), [&] {
            return Finding{"the number " + std::to_string(value) + " is out of range as "
                               + std::string(fieldName(field)),
                           std::string(expected) + "; the line is left out"};
        });
    };
    if (line.tag < std::numeric_limits<std::int32_t>::min()
        || line.tag > std::numeric_limits<std::int32_t>::max())
        return tellRange(AlogField::Tag, line.tag, "expected -2147483648 to 2147483647");
    if (line.bytes < 0)
        return tellRange(AlogField::Bytes, line.bytes, "expected a number from 0");
    const auto self = task(place, line.process, AlogField::Process);
    if (!self)
        return;
    const auto peer = task(place, line.peer, AlogField::Data);
    if (!peer || !room(place))
        return;
    takeThread(line.thread);
    MessageWords words;
    if (!line.comment.empty())
        words = readMessageWords(line.comment, WordComplaints(m_diagnostics, place));
    const Task from = line.isSend ? *self : *peer;
    const Task to = line.isSend ? *peer : *self;
    const auto next = static_cast<std::uint32_t>(m_trace.messages.size());
    const auto other = m_matcher.meet({.from = from.value(),
                                       .to = to.value(),
                                       .communicator = words.communicator,
                                       .tag = static_cast<std::int32_t>(line.tag)},
                                      line.isSend ? MessageMatcher::End::Sent
                                                  : MessageMatcher::End::Received,
                                      {.message = next, .line = place.line});
    if (!other) {
        m_trace.messages.push_back({.from = from,
                                    .to = to,
                                    .tag = static_cast<std::int32_t>(line.tag),
                                    .communicator = words.communicator,
                                    .bytes = static_cast<std::uint64_t>(line.bytes)});
    } else if (line.isSend) {
        m_diagnostics.warn(place.line, 1, [&] {
            return Finding{"the message from " + taskText(from) + " to " + taskText(to) + ", tag "
                               + std::to_string(line.tag)
                               + ", is sent after it was received in line "
                               + std::to_string(other->line),
                           "expected the send first; the clocks of the tasks may differ"};
        });
    }
    stateOf(place, *peer);
    append(place, *self, time, line.isSend ? EventKind::Send : EventKind::Receive,
           other ? other->message : next);
    join(other ? other->message : next, line, words.request);
}

void TraceBuilder::join(std::uint32_t index, const MessageLine& line, std::uint32_t request)
{
    const auto event = static_cast<std::uint32_t>(m_trace.events.size() - 1);
    Message& message = m_trace.messages[index];
    if (line.isSend) {
        // The receiver may have logged the size of its buffer.
        message.bytes = static_cast<std::uint64_t>(line.bytes);
        message.sent = event;
        message.sendRequest = request;
    } else {
        message.received = event;
        message.receiveRequest = request;
    }
}

Trace TraceBuilder::finish(const AlogHeader::Announced& processes, std::int64_t startUs)
{
    closeCalls();
    tellLonelyMessages();
    countTasks(processes);
    countFrom(startUs);
    m_trace.states = m_states.takeStates();
    return std::move(m_trace);
}

void TraceBuilder::countFrom(std::int64_t startUs)
{
    if (startUs == 0)
        return;
    for (Event& event : m_trace.events)
        event.timeUs -= startUs;
    for (Call& call : m_trace.calls) {
        call.beginUs -= startUs;
        call.endUs -= startUs;
    }
}

void TraceBuilder::closeCalls()
{
    for (std::size_t rank = 0; rank < m_tasks.size(); ++rank) {
        for (const Open& open : m_tasks[rank].open) {
            m_trace.calls[open.call].endUs = m_tasks[rank].latestUs;
            m_diagnostics.warn(open.line, 1, [&] {
                return Finding{inQuotes(nameOf(open)) + " of task " + std::to_string(rank)
                                   + " does not end",
                               "taken to end with the last record of the task, at "
                                   + std::to_string(m_tasks[rank].latestUs)};
            });
        }
    }
}

void TraceBuilder::tellLonelyMessages()
{
    for (const MessageMatcher::Waiter& waiter : m_matcher.waiting()) {
        const Message& message = m_trace.messages[waiter.message];
        m_diagnostics.warn(waiter.line, 1, [&] {
            return Finding{
                "the message from " + taskText(message.from) + " to " + taskText(message.to)
                    + ", tag " + std::to_string(message.tag)
                    + (message.sent != none ? ", is never received" : ", was never sent"),
                message.sent != none ? "expected a record -102 of the receiver"
                                     : "expected a record -101 of the sender"};
        });
    }
}

void TraceBuilder::countTasks(const AlogHeader::Announced& processes)
{
    std::uint64_t count = m_tasks.size();
    if (processes.line != 0 && processes.count > count) {
        // Silent tasks cost memory without having cost the log a byte.
        if (processes.count <= m_limits.silentTasks
            || (processes.count <= m_limits.tasks && processes.count <= m_trace.events.size())) {
            count = processes.count;
        } else {
            m_diagnostics.warn(processes.line, 1, [&] {
                return Finding{"header -3 announces " + std::to_string(processes.count)
                                   + " processes, the records know "
                                   + std::to_string(m_tasks.size()),
                               "only these are taken"};
            });
        }
    }
    for (std::size_t rank = processes.count; processes.line != 0 && rank < m_tasks.size(); ++rank) {
        if (m_tasks[rank].firstLine == 0)
            continue;
        m_diagnostics.warn(m_tasks[rank].firstLine, 1, [&] {
            return Finding{"task " + std::to_string(rank) + " is beyond the "
                               + std::to_string(processes.count)
                               + " processes that header -3 announces in line "
                               + std::to_string(processes.line),
                           "taken all the same"};
        });
    }
    m_trace.taskNames.resize(count);
}

} // namespace tasuki::trace
