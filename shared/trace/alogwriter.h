// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "trace.h"

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

namespace tasuki::trace {

/// The lines of an ALOG log, one function each, as AlogReader reads them. They gather in a text.
/// Bytes that would end a line early are written as blanks.
class AlogLines {
public:
    /// What the headers announce.
    struct Heading {
        std::string_view creator;
        std::uint64_t events = 0;
        std::uint32_t tasks = 0;
        std::uint64_t types = 0;
        std::int64_t lastUs = 0;
    };
    void heading(const Heading& heading);
    void state(const StateType& state);
    /// @param type  of marks
    void markType(std::int32_t type);
    void taskName(Task task, std::string_view name);

    /// @param detail  nullptr: the call has none
    void begin(Task task, std::int64_t timeUs, const StateType& state, const CallDetail* detail);
    void end(Task task, std::int64_t timeUs, const StateType& state);
    void send(std::int64_t timeUs, const Message& message);
    void receive(std::int64_t timeUs, const Message& message);
    void mark(Task task, std::int64_t timeUs, const Mark& mark);

    /// @param thread  of the events that follow
    void setThread(std::uint32_t thread) { m_thread = thread; }

    [[nodiscard]] const std::string& text() const { return m_text; }
    [[nodiscard]] std::size_t size() const { return m_text.size(); }
    void clear() { m_text.clear(); }

private:
    template <class Number>
    void number(Number value);
    /// Type, process, task, data, cycle 0, timestamp.
    void fields(std::int64_t type, std::uint32_t process, std::int64_t task, std::int64_t data,
                std::int64_t timeUs);
    void words(std::string_view text);
    template <class Number>
    void word(std::string_view name, Number value);
    void message(std::int64_t type, std::int64_t timeUs, const Message& message, bool isSend);

    std::string m_text;
    std::uint32_t m_thread = 0;
};

/// Takes the next part of a text; an Error ends the writing.
using TextSink = std::function<Result<void>(std::string_view part)>;

/// Writes a trace in parts of about 1 MiB. Read again it is equal, if it came from AlogReader: names
/// without blanks around them, events that follow from each other.
/// @return what the sink has returned
Result<void> writeAlog(const Trace& trace, const TextSink& sink);

/// The same as one text.
std::string alogText(const Trace& trace);

} // namespace tasuki::trace
