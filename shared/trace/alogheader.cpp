// SPDX-License-Identifier: GPL-3.0-or-later
#include "alogheader.h"

#include <algorithm>
#include <limits>

namespace tasuki::trace {

namespace {

bool isEventType(std::int64_t type)
{
    return type <= std::numeric_limits<std::int32_t>::max()
        && type >= std::numeric_limits<std::int32_t>::min()
        && (type >= 0 || type < alogtype::receive);
}

/// @return what header -13 says: "colour:bitmap name", "colour name", or only a name
StateType stateOf(const HeaderLine& header)
{
    constexpr std::string_view blanks = " \t\r";
    const std::string_view comment = header.comment;
    const std::string_view first = comment.substr(0, comment.find_first_of(blanks));
    const std::size_t colon = first.find(':');
    std::string_view name = trimmedBlanks(comment.substr(first.size()));
    std::string_view colour = first.substr(0, colon);
    if (name.empty() && colon == std::string_view::npos)
        name = std::exchange(colour, {});
    return {.beginId = static_cast<std::int32_t>(header.task),
            .endId = static_cast<std::int32_t>(header.data),
            .name = std::string(name),
            .colour = std::string(colour),
            .call = mpiCallNamed(name)};
}

std::string pairText(const HeaderLine& header)
{
    return std::to_string(header.task) + " and " + std::to_string(header.data);
}

} // namespace

AlogHeader::AlogHeader(const AlogLimits& limits, TraceDiagnostics& diagnostics,
                       const AlogDefinitions& known)
    : m_limits(limits), m_diagnostics(diagnostics), m_clock(known.rolloverUs)
{
    for (const StateType& state : known.states)
        m_states.define(state);
    for (const std::int32_t type : known.described)
        m_states.describe(type);
}

void AlogHeader::take(const LinePlace& place, const HeaderLine& header)
{
    switch (header.type) {
    case alogtype::creator: m_creator = header.comment; break;
    case alogtype::eventCount: takeCount(place, header, m_events); break;
    case alogtype::processCount: takeCount(place, header, m_processes); break;
    case alogtype::startTime: takeStart(place, header); break;
    case alogtype::eventDescription: takeDescription(place, header); break;
    case alogtype::rollover: takeRollover(place, header); break;
    case alogtype::state: takeState(place, header); break;
    case alogtype::processName: takeName(place, header); break;
    default:
        // What is left of -1 to -15 is for drawing programs, or follows from the records.
        if (header.type < alogtype::processName)
            tellUnknown(place, header.type);
    }
}

void AlogHeader::takeCount(const LinePlace& place, const HeaderLine& header, Announced& target)
{
    if (header.data < 0) {
        m_diagnostics.warn(place.line, columnOf(place.text, AlogField::Data), [&] {
            return Finding{"header " + std::to_string(header.type) + " announces "
                               + std::to_string(header.data),
                           "expected a number from 0; the header is left out"};
        });
        return;
    }
    target = {.count = static_cast<std::uint64_t>(header.data), .line = place.line};
}

void AlogHeader::takeStart(const LinePlace& place, const HeaderLine& header)
{
    const std::int64_t us = header.timestamp != 0 ? header.timestamp : header.data;
    // Logs that were joined have several: the whole starts with the earliest.
    if (!m_start || us < m_start->us)
        m_start = AnnouncedStart{.us = us, .line = place.line};
}

void AlogHeader::takeDescription(const LinePlace& place, const HeaderLine& header)
{
    if (!isEventType(header.data)) {
        m_diagnostics.warn(place.line, columnOf(place.text, AlogField::Data), [&] {
            return Finding{"header -9 describes type " + std::to_string(header.data),
                           "expected the type of an event; the header is left out"};
        });
        return;
    }
    const auto type = static_cast<std::int32_t>(header.data);
    m_late = m_late || m_states.firstMet(type).has_value();
    m_states.describe(type);
}

void AlogHeader::takeRollover(const LinePlace& place, const HeaderLine& header)
{
    const bool isTimestamp = header.timestamp != 0;
    const std::int64_t rollover = isTimestamp ? header.timestamp : header.data;
    const auto column = [&] {
        return columnOf(place.text, isTimestamp ? AlogField::Timestamp : AlogField::Data);
    };
    if (rollover < 0 || rollover >= LogClock::limitUs) {
        m_diagnostics.warn(place.line, column(), [&] {
            return Finding{"the timer rolls over at " + std::to_string(rollover),
                           "expected a number from 0 to " + std::to_string(LogClock::limitUs - 1)
                               + "; the header is left out"};
        });
        return;
    }
    const std::int64_t known = m_clock.rolloverUs().value_or(0);
    if (m_clock.rolloverUs() && (rollover == 0 || rollover == known))
        return;
    if (known != 0) {
        m_diagnostics.warn(place.line, column(), [&] {
            return Finding{"the timer rolls over at " + std::to_string(rollover),
                           "another header -11 says at " + std::to_string(known)
                               + ", and that one counts"};
        });
        return;
    }
    if ((m_cycleNeeded && rollover != 0) || m_clock.modulusUs() != 0) {
        m_late = true;
        m_diagnostics.warn(place.line, 1, [] {
            return Finding{"header -11 stands after records whose times depend on it",
                           "put headers before the records; these have kept the times of a timer "
                           "of the usual width"};
        });
    }
    m_clock.setRollover(rollover);
}

bool AlogHeader::checkStateTypes(const LinePlace& place, const HeaderLine& header)
{
    for (const AlogField field : {AlogField::TaskNumber, AlogField::Data}) {
        const std::int64_t type = field == AlogField::TaskNumber ? header.task : header.data;
        if (isEventType(type))
            continue;
        m_diagnostics.warn(place.line, columnOf(place.text, field), [&] {
            return Finding{std::to_string(type) + " cannot be the type of a state's "
                               + (field == AlogField::TaskNumber ? "begin" : "end"),
                           "expected a number from 0 to 2147483647; the state is left out"};
        });
        return false;
    }
    if (header.task != header.data)
        return true;
    m_diagnostics.warn(place.line, columnOf(place.text, AlogField::Data), [&] {
        return Finding{"the begin and the end of a state have one type, "
                           + std::to_string(header.data),
                       "expected two; the state is left out"};
    });
    return false;
}

void AlogHeader::takeState(const LinePlace& place, const HeaderLine& header)
{
    if (!checkStateTypes(place, header))
        return;
    StateType state = stateOf(header);
    if (state.name.empty()) {
        m_diagnostics.warn(place.line, place.text.size() + 1, [&] {
            return Finding{"the state of the types " + pairText(header) + " has no name",
                           "expected a comment \"colour:bitmap name\""};
        });
        state.name = std::to_string(state.beginId);
    }
    const StateTable::Defined defined = m_states.define(state);
    const auto column = [&] { return columnOf(place.text, AlogField::TaskNumber); };
    switch (defined) {
    case StateTable::Defined::New: break;
    case StateTable::Defined::Renamed:
        m_diagnostics.warn(place.line, column(), [&] {
            return Finding{"the types " + pairText(header) + " are defined again, as "
                               + inQuotes(state.name),
                           "the first definition counts"};
        });
        return;
    case StateTable::Defined::Taken:
        m_diagnostics.warn(place.line, column(), [&] {
            return Finding{"one of the types " + pairText(header) + " stands for another state",
                           "expected types that no other header -13 has; the state "
                               + inQuotes(state.name) + " is left out"};
        });
        return;
    case StateTable::Defined::TooLate: break;
    }
    const auto begin = m_states.firstMet(state.beginId);
    const auto end = m_states.firstMet(state.endId);
    if (defined == StateTable::Defined::New && !begin && !end)
        return;
    m_late = true;
    m_diagnostics.warn(place.line, column(), [&] {
        const std::uint64_t none64 = std::numeric_limits<std::uint64_t>::max();
        const std::uint64_t first = std::min(begin.value_or(none64), end.value_or(none64));
        return Finding{"the state " + inQuotes(state.name) + " is defined after its records",
                       "put headers before the records, the first of which is in line "
                           + std::to_string(first)};
    });
}

void AlogHeader::takeName(const LinePlace& place, const HeaderLine& header)
{
    if (header.process < 0 || header.process >= std::int64_t{m_limits.tasks}) {
        m_diagnostics.warn(place.line, columnOf(place.text, AlogField::Process), [&] {
            return Finding{"a name for process " + std::to_string(header.process),
                           "expected a process from 0 to " + std::to_string(m_limits.tasks - 1)
                               + "; the name is left out"};
        });
        return;
    }
    m_names[static_cast<std::uint32_t>(header.process)] = {.text = std::string(header.comment),
                                                           .line = place.line};
}

void AlogHeader::tellUnknown(const LinePlace& place, std::int64_t type)
{
    if (!m_unknownTypes.insert(type).second)
        return;
    m_diagnostics.warn(place.line, columnOf(place.text, AlogField::Type), [&] {
        return Finding{"unknown header " + std::to_string(type),
                       "known are -1 to -15; headers of this type are left out"};
    });
}

std::optional<AlogDefinitions> AlogHeader::lateDefinitions() const
{
    if (!m_late)
        return std::nullopt;
    return AlogDefinitions{.states = m_states.definedStates(),
                           .described = m_states.described(),
                           .rolloverUs = m_clock.rolloverUs()};
}

void AlogHeader::nameTasks(std::vector<std::string>& names)
{
    for (auto& [task, name] : m_names) {
        if (task < names.size()) {
            names[task] = std::move(name.text);
            continue;
        }
        m_diagnostics.warn(name.line, 1, [&, task = task] {
            return Finding{"a name for process " + std::to_string(task)
                               + ", of which there is no record",
                           "the name is left out"};
        });
    }
}

} // namespace tasuki::trace
