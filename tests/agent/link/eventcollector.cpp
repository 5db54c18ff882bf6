// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventcollector.h"

namespace tasuki::testing {

namespace {

std::string words(EventId id)
{
    return std::to_string(id.epoch.value()) + '.' + std::to_string(id.sequence.value());
}

} // namespace

EventId EventCollector::last() const { return m_events.empty() ? EventId{} : m_events.back().id; }

void EventCollector::complain(const std::string& what)
{
    if (m_problem.empty())
        m_problem = what;
}

void EventCollector::take(const link::AgentMessage& message)
{
    if (const auto* begin = std::get_if<link::SnapshotBegin>(&message)) {
        if (begin->reset) {
            ++m_resets;
            m_events.clear();
        }
        if (begin->after != last())
            complain("snapshot after " + words(begin->after) + " but the window has "
                     + words(last()));
        m_begin = *begin;
        m_inSnapshot = true;
        m_gapOpen = false;
    } else if (const auto* end = std::get_if<link::SnapshotEnd>(&message)) {
        if (!m_inSnapshot)
            complain("the end of no snapshot");
        if (end->upTo != m_begin.upTo || last() != m_begin.upTo)
            complain("snapshot up to " + words(m_begin.upTo) + " ends with " + words(last()));
        m_inSnapshot = false;
        ++m_snapshots;
    } else if (const auto* gap = std::get_if<link::Gap>(&message)) {
        if (m_inSnapshot)
            complain("a gap inside a snapshot");
        if (gap->lastDelivered != last())
            complain("gap after " + words(gap->lastDelivered) + " but the window has "
                     + words(last()));
        m_gapOpen = true;
        ++m_gaps;
    } else if (const auto* events = std::get_if<link::Events>(&message)) {
        takeEvents(*events);
    }
}

void EventCollector::takeEvents(const link::Events& message)
{
    ++m_frames;
    if (!m_inSnapshot && m_snapshots == 0)
        complain("events before the first snapshot");
    if (m_gapOpen)
        complain("events between a gap and its snapshot");
    for (const Event& event : message.events) {
        if (event.id <= last())
            complain(words(event.id) + " comes after " + words(last()));
        if (m_inSnapshot && event.id > m_begin.upTo)
            complain(words(event.id) + " in a snapshot up to " + words(m_begin.upTo));
        m_events.push_back(event);
    }
}

std::vector<Event> streamed(std::vector<Event> events)
{
    for (Event& event : events) {
        if (auto* finished = std::get_if<AttemptFinished>(&event.payload)) {
            for (auto* stream :
                 {&finished->result.standardOutput, &finished->result.standardError}) {
                stream->head.clear();
                stream->tail.clear();
            }
        }
    }
    return events;
}

} // namespace tasuki::testing
