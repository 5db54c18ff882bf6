// SPDX-License-Identifier: GPL-3.0-or-later
#include "alogwriter.h"

#include "alogline.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <set>

namespace tasuki::trace {

namespace {

constexpr std::size_t partBytes = std::size_t{1} << 20U;

bool endsLine(char byte) { return byte == '\n' || byte == '\0'; }

/// @return the first word of a state's comment: a colour, or ":" where there is none
std::string colourWord(std::string_view colour)
{
    std::string word(colour.substr(0, colour.find(':')));
    std::erase_if(word, [](char byte) { return endsLine(byte) || byte == ' ' || byte == '\t'; });
    return word.empty() ? ":" : word;
}

/// Events and types of records: what headers announce.
AlogLines::Heading headingOf(const Trace& trace, const std::set<std::int32_t>& markTypes)
{
    AlogLines::Heading heading{.creator = trace.creator,
                               .events = trace.events.size(),
                               .tasks = trace.tasks(),
                               .types = 2 * trace.states.size() + markTypes.size(),
                               .lastUs = 0};
    for (const Event& event : trace.events)
        heading.lastUs = std::max(heading.lastUs, event.timeUs);
    return heading;
}

void addEvent(AlogLines& lines, const Trace& trace, const Event& event)
{
    switch (event.kind) {
    case EventKind::Begin: {
        const Call& call = trace.calls[event.subject];
        lines.begin(event.task, event.timeUs, trace.stateOf(call),
                    call.detail == none ? nullptr : &trace.details[call.detail]);
        break;
    }
    case EventKind::End:
        lines.end(event.task, event.timeUs, trace.stateOf(trace.calls[event.subject]));
        break;
    case EventKind::Send: lines.send(event.timeUs, trace.messages[event.subject]); break;
    case EventKind::Receive: lines.receive(event.timeUs, trace.messages[event.subject]); break;
    case EventKind::Mark: lines.mark(event.task, event.timeUs, trace.marks[event.subject]); break;
    }
}

} // namespace

template <class Number>
void AlogLines::number(Number value)
{
    std::array<char, 24> digits; // fits 64 bits and a sign
    const char* const end = std::to_chars(digits.data(), digits.data() + digits.size(), value).ptr;
    m_text.append(digits.data(), static_cast<std::size_t>(end - digits.data()));
}

void AlogLines::fields(std::int64_t type, std::uint32_t process, std::int64_t task,
                       std::int64_t data, std::int64_t timeUs)
{
    number(type);
    m_text += ' ';
    number(process);
    m_text += ' ';
    number(task);
    m_text += ' ';
    number(data);
    m_text += " 0 ";
    number(timeUs);
}

void AlogLines::words(std::string_view text)
{
    const std::size_t begin = m_text.size();
    m_text += text;
    std::replace_if(m_text.begin() + static_cast<std::ptrdiff_t>(begin), m_text.end(), endsLine,
                    ' ');
}

template <class Number>
void AlogLines::word(std::string_view name, Number value)
{
    m_text += ' ';
    m_text += name;
    m_text += '=';
    number(value);
}

void AlogLines::heading(const Heading& heading)
{
    fields(alogtype::creator, 0, 0, 0, 0);
    m_text += ' ';
    words(heading.creator);
    m_text += '\n';
    const auto line = [this](std::int64_t type, std::int64_t data, std::int64_t timeUs) {
        fields(type, 0, 0, data, timeUs);
        m_text += '\n';
    };
    line(alogtype::eventCount, static_cast<std::int64_t>(heading.events), 0);
    line(alogtype::processCount, heading.tasks, 0);
    line(alogtype::taskCount, 1, 0);
    line(alogtype::typeCount, static_cast<std::int64_t>(heading.types), 0);
    line(alogtype::startTime, 0, 0);
    line(alogtype::endTime, 0, heading.lastUs);
    line(alogtype::timerCycles, 1, 0);
    line(alogtype::rollover, 0, 0);
}

void AlogLines::state(const StateType& state)
{
    fields(alogtype::state, 0, state.beginId, state.endId, 0);
    m_text += ' ';
    words(colourWord(state.colour));
    m_text += ' ';
    words(state.name);
    m_text += '\n';
}

void AlogLines::markType(std::int32_t type)
{
    fields(alogtype::eventDescription, 0, 0, type, 0);
    m_text += " mark\n";
}

void AlogLines::taskName(Task task, std::string_view name)
{
    fields(alogtype::processName, task.value(), 0, 0, 0);
    m_text += ' ';
    words(name);
    m_text += '\n';
}

void AlogLines::begin(Task task, std::int64_t timeUs, const StateType& state,
                      const CallDetail* detail)
{
    fields(state.beginId, task.value(), m_thread, 0, timeUs);
    if (detail != nullptr) {
        const std::size_t bare = m_text.size();
        if (detail->root != none)
            word("root", detail->root);
        if (detail->bytes != 0)
            word("bytes", detail->bytes);
        if (detail->communicator != 0)
            word("comm", detail->communicator);
        for (std::size_t index = 0; index < detail->requests.size(); ++index) {
            m_text += index == 0 ? " req=" : ",";
            number(detail->requests[index]);
        }
        if (m_text.size() == bare)
            word("comm", 0); // there is a detail, though it says nothing
    }
    m_text += '\n';
}

void AlogLines::end(Task task, std::int64_t timeUs, const StateType& state)
{
    fields(state.endId, task.value(), m_thread, 0, timeUs);
    m_text += '\n';
}

void AlogLines::message(std::int64_t type, std::int64_t timeUs, const Message& message, bool isSend)
{
    const Task self = isSend ? message.from : message.to;
    const Task peer = isSend ? message.to : message.from;
    fields(type, self.value(), m_thread, peer.value(), timeUs);
    m_text += ' ';
    number(message.tag);
    m_text += ' ';
    number(message.bytes);
    if (message.communicator != 0)
        word("comm", message.communicator);
    const std::uint32_t request = isSend ? message.sendRequest : message.receiveRequest;
    if (request != none)
        word("req", request);
    m_text += '\n';
}

void AlogLines::send(std::int64_t timeUs, const Message& message)
{
    this->message(alogtype::send, timeUs, message, true);
}

void AlogLines::receive(std::int64_t timeUs, const Message& message)
{
    this->message(alogtype::receive, timeUs, message, false);
}

void AlogLines::mark(Task task, std::int64_t timeUs, const Mark& mark)
{
    fields(mark.id, task.value(), m_thread, mark.data, timeUs);
    if (!mark.comment.empty()) {
        // The tab says that it is a comment, also where it begins with a number.
        m_text += '\t';
        words(mark.comment);
    }
    m_text += '\n';
}

Result<void> writeAlog(const Trace& trace, const TextSink& sink)
{
    std::set<std::int32_t> markTypes;
    for (const Mark& mark : trace.marks)
        markTypes.insert(mark.id);
    AlogLines lines;
    lines.heading(headingOf(trace, markTypes));
    for (const StateType& state : trace.states)
        lines.state(state);
    for (const std::int32_t type : markTypes)
        lines.markType(type);
    const auto pass = [&](std::size_t least) -> Result<void> {
        if (lines.size() < least)
            return {};
        Result<void> taken = sink(lines.text());
        lines.clear();
        return taken;
    };
    for (std::uint32_t task = 0; task < trace.tasks(); ++task) {
        if (!trace.taskNames[task].empty())
            lines.taskName(Task(task), trace.taskNames[task]);
        if (Result<void> passed = pass(partBytes); !passed)
            return passed;
    }
    for (const Event& event : trace.events) {
        lines.setThread(event.thread);
        addEvent(lines, trace, event);
        if (Result<void> passed = pass(partBytes); !passed)
            return passed;
    }
    return pass(1);
}

std::string alogText(const Trace& trace)
{
    std::string text;
    const Result<void> written = writeAlog(trace, [&text](std::string_view part) {
        text += part;
        return Result<void>();
    });
    assert(written.ok());
    static_cast<void>(written);
    return text;
}

} // namespace tasuki::trace
