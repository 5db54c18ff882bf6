// SPDX-License-Identifier: GPL-3.0-or-later
//
// A master that goes on where another one has died.
#include "master.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tasuki::farm {

/// Who was there when the record ended, if it is of this epoch.
void Master::seedRoster()
{
    if (m_state.lastEvent().epoch != m_journal.epoch())
        return;
    if (m_state.closed())
        m_phase = Phase::Closing; // nothing is recorded behind that
    m_lastRecorded = m_state.lastEvent();
    m_finishedRunTime = m_state.finishedRunTime();
    for (const auto& [rank, processor] : m_state.processors()) {
        if (processor.incarnation == Incarnation())
            continue; // nobody held it yet
        m_roster.seed(rank, processor);
        if (processor.present)
            m_unconfirmed.insert(rank);
    }
}

void Master::takeOver(std::vector<EventPayload> opening, StartedAttempts started)
{
    m_takesOver = true;
    m_startedOn = std::move(started);
    if (const auto& closed = m_state.closed()) {
        m_end = closed->end;
        dismiss(); // the last master was about to
        return;
    }
    m_openingCommitted = opening.empty();
    for (EventPayload& payload : opening)
        m_lastOfOpening = append(std::move(payload));
    for (const Rank rank : std::exchange(m_unconfirmed, {}))
        lose(rank, LossCause::Gone);
}

/// Each crew holds what it had started by the record, and perhaps more.
void Master::adoptRecorded()
{
    for (const auto& [id, crew] : m_roster.crews()) {
        m_scheduler.crewJoined(id, m_roster.openSlots(crew));
        m_scheduler.setAway(id, true);
    }
    for (const auto& [key, rank] : m_startedOn) {
        const bool adopted = adopt(m_roster.crewOf(rank), key, true);
        assert(adopted);
        static_cast<void>(adopted);
    }
    for (const auto& [id, formed] : m_roster.crews()) {
        m_roster.crew(id)->byRecord = formed.leader.has_value();
        if (!formed.leader)
            crewIsLost(id);
    }
}

/// @return whether the attempt was the scheduler's to be held; then it is
bool Master::adopt(CrewId crew, AttemptKey key, bool started)
{
    if (!m_scheduler.adopt(crew, key, started))
        return false;
    if (m_state.task(key.task).cancelling)
        m_scheduler.condemn(key.task);
    return true;
}

void Master::interruptLater(std::optional<SubclusterId> restartFor)
{
    ++m_interruptsLater;
    if (restartFor)
        m_restartLater = restartFor;
}

/// The end that the last master had begun. Processors have seen the same signals as that one.
void Master::goOnEnding()
{
    std::uint32_t wanted = std::exchange(m_interruptsLater, 0);
    std::optional<SubclusterId> restartFor = m_restartLater;
    if (const std::optional<RunEnding>& ending = m_state.ending()) {
        wanted = std::max(wanted, ending->kill ? 2U : 1U);
        if (!restartFor)
            restartFor = ending->restartFor;
    }
    for (; wanted > 0; --wanted)
        interrupt(restartFor);
}

/// What a crew holds that the record does not say: it was handed out, and perhaps done, under the last
/// master.
void Master::takeClaims(CrewId id, const std::vector<AttemptKey>& claimed)
{
    if (!m_roster.crew(id)->byRecord)
        return;
    Stop stop;
    for (const AttemptKey& key : claimed) {
        if (!adopt(id, key, false))
            stop.keys.push_back(key); // its end is in the record: nothing is left to be stopped
    }
    if (!stop.keys.empty())
        sendToForeman(id, *m_roster.crew(id)->acting, std::move(stop));
}

bool Master::gathered() const
{
    return std::ranges::none_of(m_roster.crews(),
                                [](const auto& entry) { return entry.second.byRecord; });
}

/// Who goes on with the record goes on with ending the run.
void Master::recordEnding(bool kill, std::optional<SubclusterId> restartFor)
{
    const std::optional<RunEnding>& recorded = m_state.ending();
    if (!recorded || (kill && !recorded->kill))
        append(RunEnding{.kill = kill, .restartFor = restartFor});
}

} // namespace tasuki::farm
