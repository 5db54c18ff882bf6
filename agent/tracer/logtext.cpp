// SPDX-License-Identifier: GPL-3.0-or-later
#include "logtext.h"

#include <array>
#include <charconv>
#include <concepts>
#include <string_view>

namespace tasuki::tracer {

namespace {

constexpr int sendType = -101;
constexpr int receiveType = -102;

/// Numbers with blanks between them, put together on the stack: appending each to a string costs
/// several times as much.
class Fields {
public:
    template <std::integral... Numbers>
    explicit Fields(Numbers... numbers)
    {
        (add(numbers), ...);
    }

    template <std::integral Number>
    void add(Number number)
    {
        if (m_end != m_text.data())
            *m_end++ = ' ';
        m_end = std::to_chars(m_end, m_text.data() + m_text.size(), number).ptr;
    }
    [[nodiscard]] std::string_view text() const
    {
        return {m_text.data(), static_cast<std::size_t>(m_end - m_text.data())};
    }

private:
    /// Of the longest line: eight numbers of 20 digits.
    std::array<char, 8 * 21> m_text;
    char* m_end = m_text.data();
};

template <std::integral Number>
void appendWord(std::string& text, std::string_view name, Number number)
{
    text += name;
    text += Fields{number}.text();
}

void appendMessage(std::string& text, const MergedEvent& event, std::int64_t timeUs)
{
    const Record& record = event.record;
    const int type = record.kind == RecordKind::Sent ? sendType : receiveType;
    text += Fields{type,   event.process, std::uint64_t{record.thread}, record.peer, 0,
                   timeUs, record.tag,    std::uint64_t{record.bytes}}
                .text();
    if (record.communicator != 0)
        appendWord(text, " comm=", record.communicator);
    if (record.request != 0)
        appendWord(text, " req=", record.request);
}

void appendWords(std::string& text, const MergedEvent& event)
{
    const Record& record = event.record;
    switch (stateInfo(record.state).words) {
    case Words::Requests:
        for (std::size_t i = 0; i < event.requests.size(); ++i)
            appendWord(text, i == 0 ? " req=" : ",", event.requests[i]);
        break;
    case Words::Collective:
        if (record.peer >= 0)
            appendWord(text, " root=", record.peer);
        appendWord(text, " bytes=", std::uint64_t{record.bytes});
        appendWord(text, " comm=", record.communicator);
        break;
    case Words::Communicator: appendWord(text, " comm=", record.communicator); break;
    }
}

std::int64_t microseconds(std::int64_t ns) { return ns / 1000; }

} // namespace

LogText::LogText(const LogSummary& summary)
    : m_summary(summary), m_counts(std::size_t{summary.processes} * stateCount)
{}

void LogText::appendHeader(std::string& text) const
{
    std::vector<State> states;
    for (std::size_t i = 0; i < stateCount; ++i) {
        if (m_summary.usedStates[i])
            states.push_back(static_cast<State>(i));
    }
    text += "-1 0 0 0 0 0 tasuki-alog\n";
    const std::size_t types = 2 * states.size() + (m_summary.messages ? 2 : 0);
    const auto line = [&text](int code, auto data, std::int64_t timeUs) {
        text += Fields{code, 0, 0, data, 0, timeUs}.text();
        text += '\n';
    };
    line(-2, m_summary.events, 0);
    line(-3, m_summary.processes, 0);
    line(-4, 1, 0);
    line(-5, types, 0);
    line(-6, 0, 0);
    line(-7, 0, microseconds(m_summary.endNs - m_summary.zeroNs));
    line(-8, 1, 0);
    line(-11, 0, 0);
    for (const State state : states) {
        text += Fields{-13, 0, beginId(state), endId(state), 0, 0}.text();
        text += ' ';
        text += stateInfo(state).colour;
        text += ' ';
        text += stateInfo(state).name;
        text += '\n';
    }
}

void LogText::appendEvent(std::string& text, const MergedEvent& event)
{
    const std::int64_t timeUs = microseconds(event.timeNs - m_summary.zeroNs);
    if (event.record.kind == RecordKind::Sent || event.record.kind == RecordKind::Received)
        appendMessage(text, event, timeUs);
    else
        appendCall(text, event, timeUs);
    text += '\n';
}

void LogText::appendCall(std::string& text, const MergedEvent& event, std::int64_t timeUs)
{
    const State state = event.record.state;
    const bool begins = event.record.kind == RecordKind::Begin;
    const std::uint32_t count =
        ++m_counts[event.process * stateCount + static_cast<std::size_t>(state)];
    const int type = begins ? beginId(state) : endId(state);
    text +=
        Fields{type, event.process, std::uint64_t{event.record.thread}, count, 0, timeUs}.text();
    if (begins)
        appendWords(text, event);
}

} // namespace tasuki::tracer
