// SPDX-License-Identifier: GPL-3.0-or-later
#include "alogreader.h"

#include <algorithm>
#include <cstring>

namespace tasuki::trace {

namespace {

/// What is held back at most: the dialect of lines is decided from as many at once.
constexpr std::size_t heldLines = 64;
constexpr std::size_t heldBytes = std::size_t{1} << 20U;

constexpr std::string_view lineForm = "type process task data cycle timestamp [comment]";
constexpr std::string_view messageForm =
    "type process task data cycle timestamp tag bytes [comment]";

/// Several functions as one, for std::visit.
template <class... Functions>
struct Overloaded : Functions... {
    using Functions::operator()...;
};
template <class... Functions>
Overloaded(Functions...) -> Overloaded<Functions...>;

} // namespace

bool TraceReading::usable() const
{
    return std::ranges::none_of(diagnostics, &Diagnostic::isError);
}

AlogReader::AlogReader(std::string file, const AlogDefinitions& known, const AlogLimits& limits)
    : m_limits(limits),
      m_diagnostics(std::move(file), limits.diagnostics),
      m_header(limits, m_diagnostics, known),
      m_builder(limits, m_diagnostics, m_header.states())
{}

void AlogReader::add(std::string_view block)
{
    m_anyByte = m_anyByte || !block.empty();
    while (!block.empty()) {
        const void* const found = std::memchr(block.data(), '\n', block.size());
        if (found == nullptr) {
            takePart(block);
            return;
        }
        const auto length = static_cast<std::size_t>(static_cast<const char*>(found)
                                                     - block.data());
        if (m_part.empty() && !m_overlong && length <= m_limits.lineBytes) [[likely]] {
            ++m_line;
            takeLine(block.substr(0, length));
        } else {
            takePart(block.substr(0, length));
            endLine();
        }
        block.remove_prefix(length + 1);
    }
}

void AlogReader::takePart(std::string_view part)
{
    m_overlong = m_overlong || part.size() > m_limits.lineBytes - m_part.size();
    if (!m_overlong)
        m_part += part;
}

void AlogReader::endLine()
{
    ++m_line;
    if (m_overlong)
        tellOverlong();
    else
        takeLine(m_part);
    m_part.clear();
    m_overlong = false;
}

void AlogReader::tellOverlong()
{
    m_diagnostics.warn(m_line, m_limits.lineBytes + 1, [&] {
        return Finding{"the line is longer than " + std::to_string(m_limits.lineBytes) + " bytes",
                       "expected " + std::string(lineForm) + "; the line is left out"};
    });
}

void AlogReader::takeLine(std::string_view text)
{
    if (m_builder.full())
        return;
    const LinePlace place{m_line, text};
    std::visit(Overloaded{[](const BlankLine&) {},
                          [&](const HeaderLine& header) {
                              m_header.take(place, header);
                              if (header.type == alogtype::creator)
                                  m_builder.tellThreads(m_header.creator().starts_with("tasuki"));
                          },
                          [&](const EventLine& event) { takeEvent(place, event); },
                          [&](const MessageLine& message) { takeMessage(place, message); },
                          [&](const MalformedLine& line) { tellMalformed(place, line); }},
               parseAlogLine(text));
}

void AlogReader::tellMalformed(const LinePlace& place, const MalformedLine& line)
{
    m_diagnostics.warn(place.line, line.column, [&] {
        const std::string field(fieldName(line.field));
        const bool isMessage = line.field >= AlogField::Tag;
        const std::string form = "expected " + std::string(isMessage ? messageForm : lineForm);
        const std::string left = "; the line is left out";
        switch (line.fault) {
        case MalformedLine::Fault::FieldMissing:
            return Finding{"the line ends where " + field + " should stand", form + left};
        case MalformedLine::Fault::NoNumber:
            return Finding{inQuotes(line.found) + " is no number, as " + field + " must be",
                           form + left};
        case MalformedLine::Fault::OutOfRange:
            return Finding{"the number " + inQuotes(line.found) + " is out of range as " + field,
                           "expected a number of at most 64 bits" + left};
        case MalformedLine::Fault::NulByte: break;
        }
        return Finding{"a NUL byte", "expected text: the file may be damaged" + left};
    });
}

std::optional<std::int64_t> AlogReader::timeOf(const LinePlace& place, std::int64_t cycle,
                                               std::int64_t timestamp, AlogField field)
{
    const auto time = m_header.clock().timeOf(cycle, timestamp);
    if (!time) [[unlikely]]
        tellTime(place, cycle, timestamp, field);
    return time;
}

void AlogReader::tellTime(const LinePlace& place, std::int64_t cycle, std::int64_t timestamp,
                          AlogField field)
{
    m_diagnostics.warn(place.line, columnOf(place.text, field), [&] {
        return Finding{"the time of cycle " + std::to_string(cycle) + ", timestamp "
                           + std::to_string(timestamp) + " is out of range",
                       "expected less than " + std::to_string(LogClock::limitUs)
                           + " us; the line is left out"};
    });
}

RecordTime AlogReader::advance(const LinePlace& place, std::int64_t cycle, std::int64_t timeUs,
                               AlogField field)
{
    LogClock& clock = m_header.clock();
    if (cycle != 0 && clock.rolloverUs().value_or(0) == 0 && !m_cycleTold) {
        m_cycleTold = true;
        m_header.cycleWasNeeded();
        m_diagnostics.warn(place.line, columnOf(place.text, AlogField::Cycle), [&] {
            return Finding{"the cycle is " + std::to_string(cycle)
                               + ", but no header -11 says where the timer rolls over",
                           "taken to be at " + std::to_string(LogClock::usualRolloverUs) + " us"};
        });
    }
    const std::int64_t given = timeUs;
    if (clock.advance(cycle, timeUs)) {
        m_diagnostics.warn(place.line, columnOf(place.text, field), [&] {
            return Finding{"the timestamps begin anew from " + std::to_string(given)
                               + ", but the cycle stays 0",
                           "taken to have rolled over at " + std::to_string(clock.modulusUs())
                               + " us; header -11 and the cycle should tell"};
        });
    }
    m_latestUs = timeUs;
    return {.us = timeUs, .field = field};
}

void AlogReader::takeEvent(const LinePlace& place, const EventLine& event)
{
    if (event.shifted) {
        const auto plain = m_header.clock().timeOf(event.cycle, event.plain.timestamp);
        const auto shifted = m_header.clock().timeOf(event.cycle, event.shifted->timestamp);
        if (plain && shifted)
            return hold(place, {.plainUs = *plain, .shiftedUs = *shifted});
        if (shifted) {
            release(shifted);
            return record(place, event, true);
        }
    }
    const auto time = timeOf(place, event.cycle, event.plain.timestamp, AlogField::Timestamp);
    if (!time)
        return;
    if (!m_choices.empty()) [[unlikely]] {
        release(time);
        return record(place, event, false);
    }
    m_builder.addEvent(place, event, advance(place, event.cycle, *time, AlogField::Timestamp),
                       event.plain.comment);
}

void AlogReader::takeMessage(const LinePlace& place, const MessageLine& message)
{
    const AlogField field = message.shifted ? AlogField::Tag : AlogField::Timestamp;
    auto time = timeOf(place, message.cycle, message.timestamp, field);
    if (!time)
        return;
    if (!m_choices.empty()) [[unlikely]] {
        release(time);
        time = m_header.clock().timeOf(message.cycle, message.timestamp);
        if (!time)
            return;
    }
    m_builder.addMessage(place, message, advance(place, message.cycle, *time, field));
}

void AlogReader::record(const LinePlace& place, const EventLine& event, bool shifted)
{
    const TimeReading& reading = shifted ? *event.shifted : event.plain;
    const AlogField field = shifted ? AlogField::Tag : AlogField::Timestamp;
    const auto time = timeOf(place, event.cycle, reading.timestamp, field);
    if (!time)
        return;
    m_builder.addEvent(place, event, advance(place, event.cycle, *time, field), reading.comment);
}

void AlogReader::hold(const LinePlace& place, const TimeChoice& choice)
{
    if (m_choices.size() == m_held.size())
        m_held.emplace_back();
    Held& held = m_held[m_choices.size()];
    held.text = place.text;
    held.line = place.line;
    m_choices.push_back(choice);
    m_heldBytes += place.text.size();
    if (m_choices.size() == heldLines || m_heldBytes >= heldBytes)
        release(std::nullopt);
}

void AlogReader::release(std::optional<std::int64_t> after)
{
    if (m_choices.empty())
        return;
    const std::vector<bool> shifted = chooseShifted(m_latestUs, m_choices, after);
    m_choices.clear();
    m_heldBytes = 0;
    for (std::size_t index = 0; index < shifted.size(); ++index) {
        const Held& held = m_held[index];
        const AlogLine line = parseAlogLine(held.text);
        record({held.line, held.text}, std::get<EventLine>(line), shifted[index]);
    }
}

AlogPass AlogReader::finish()
{
    if (!m_part.empty() || m_overlong)
        endLine();
    release(std::nullopt);
    AlogPass pass;
    pass.late = m_header.lateDefinitions();
    tellWhole();
    pass.reading.trace = m_builder.finish(m_header.processes(), start());
    pass.reading.trace.creator = m_header.creator();
    m_header.nameTasks(pass.reading.trace.taskNames);
    pass.reading.diagnostics = m_diagnostics.take();
    return pass;
}

std::int64_t AlogReader::start()
{
    if (m_builder.events() == 0)
        return 0;
    LogStart found = logStart(m_header.start(), m_builder.firstUs());
    if (found.doubt) {
        const std::uint64_t line = m_header.start() ? m_header.start()->line : 0;
        m_diagnostics.warn(line, line == 0 ? 0 : 1, [&] { return std::move(*found.doubt); });
    }
    return found.us;
}

void AlogReader::tellWhole()
{
    const std::uint64_t events = m_builder.events();
    if (events == 0) {
        if (!m_anyByte)
            m_diagnostics.fail(
                0, 0, {"the log is empty", "expected lines of the form " + std::string(lineForm)});
        else
            m_diagnostics.fail(
                0, 0,
                {"the log has no events", "expected lines of the form " + std::string(lineForm)});
        return;
    }
    const AlogHeader::Announced& announced = m_header.events();
    if (announced.line == 0 || announced.count <= events)
        return;
    m_diagnostics.warn(announced.line, 1, [&] {
        return Finding{"header -2 announces " + std::to_string(announced.count)
                           + " events, the log has " + std::to_string(events) + " that can be used",
                       "the log may be cut short"};
    });
}

TraceReading readAlog(std::string_view text, const std::string& file, const AlogLimits& limits)
{
    const auto pass = [&](const AlogDefinitions& known) {
        AlogReader reader(file, known, limits);
        reader.expect(text.size());
        reader.add(text);
        return reader.finish();
    };
    AlogPass first = pass({});
    if (!first.late)
        return std::move(first.reading);
    const AlogDefinitions late = std::move(*first.late);
    first = {}; // two traces need not fit into memory
    return pass(late).reading;
}

} // namespace tasuki::trace
