// SPDX-License-Identifier: GPL-3.0-or-later
#include "recorddesk.h"

#include <cstdio>
#include <cstdlib>
#include <utility>

namespace tasuki::farm {

void endForRecord(std::string_view contradiction)
{
    std::fprintf(stderr, "tasuki: the record does not fit: %.*s\n",
                 static_cast<int>(contradiction.size()), contradiction.data());
    std::abort();
}

RecordDesk::RecordDesk(RunState& state, Journal& journal)
    : m_state(state), m_journal(journal), m_goesOn(state.lastEvent().epoch == journal.epoch())
{
    if (m_goesOn)
        m_lastRecorded = m_state.lastEvent();
}

EventId RecordDesk::append(EventPayload payload)
{
    m_lastAppended = m_journal.append(std::move(payload));
    return m_lastAppended;
}

void RecordDesk::open(std::vector<EventPayload> opening)
{
    m_open = opening.empty();
    for (EventPayload& payload : opening)
        m_lastOfOpening = append(std::move(payload));
}

void RecordDesk::committed(const Event& event)
{
    if (const Result<void> applied = m_state.apply(event); !applied)
        endForRecord(applied.error().text());
    m_lastRecorded = event.id;
    m_open = m_open || event.id == m_lastOfOpening;
}

std::string RecordDesk::resumed()
{
    std::string reason = m_stalled.value_or("no reason is known");
    m_stalled.reset();
    return reason;
}

} // namespace tasuki::farm
