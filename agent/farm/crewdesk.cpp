// SPDX-License-Identifier: GPL-3.0-or-later
#include "crewdesk.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <utility>

namespace tasuki::farm {

namespace {

/// Takes what a rank's former holder left out of a report that tells of the next one, too: ends of
/// attempts that were lost with it, and their starts.
/// @param claimed  stay: the master does not know of them yet
Report leavingsIn(Report& report, const std::vector<AttemptKey>& claimed)
{
    Report leavings;
    const auto move = [](auto& from, auto& to, auto matches) {
        const auto rest = std::stable_partition(from.begin(), from.end(), std::not_fn(matches));
        to.assign(std::make_move_iterator(rest), std::make_move_iterator(from.end()));
        from.erase(rest, from.end());
    };
    move(report.finished, leavings.finished, [&claimed](const FinishedAttempt& attempt) {
        return attempt.result.outcome == Outcome::Lost
            && std::ranges::find(claimed, attempt.key) == claimed.end();
    });
    move(report.started, leavings.started, [&leavings](const StartedAttempt& started) {
        return std::ranges::find(leavings.finished, started.key, &FinishedAttempt::key)
            != leavings.finished.end();
    });
    return leavings;
}

} // namespace

void CrewDesk::formed(CrewId crew, std::vector<Rank> ranks)
{
    // Beyond what others have told.
    const std::uint64_t era = std::uint64_t{m_master.options.reign} << 32U;
    m_master.roster.form(crew, Crew(std::move(ranks), era));
}

void CrewDesk::led(CrewId id, std::optional<ProcessorId> leader)
{
    if (!m_master.roster.crew(id)->lead(leader))
        return;
    m_master.peeks.giveUp(id);
    if (!leader) {
        crewLost(id);
        return;
    }
    if (m_master.scheduler.knows(id))
        m_master.scheduler.setAway(id, true);
    m_master.mail.send(id, {.foreman = *leader, .term = 0}, CrewRollCall{});
    answerEarly(id);
}

void CrewDesk::receive(ProcessorId from, Envelope envelope)
{
    const CrewId id = *envelope.crew;
    const Crew* const crew = m_master.roster.crew(id);
    if (crew == nullptr || m_master.course.closing())
        return;
    const Leadership speaker{.foreman = from, .term = envelope.term};
    if (std::holds_alternative<CrewHello>(envelope.message))
        greeted(id, speaker);
    else if (crew->believes(speaker))
        std::visit([this, id](auto&& message) { on(id, std::move(message)); },
                   std::move(envelope.message));
}

void CrewDesk::adoptRecorded()
{
    for (const auto& [id, crew] : m_master.roster.crews()) {
        m_master.scheduler.crewJoined(id, m_master.roster.openSlots(crew));
        m_master.scheduler.setAway(id, true);
    }
    m_master.attempts.adoptStarted(m_master.roster);
    for (const auto& [id, crew] : m_master.roster.crews()) {
        m_master.roster.crew(id)->goByRecord();
        if (!crew.leader())
            crewLost(id);
    }
}

void CrewDesk::answerEarly()
{
    for (const auto& [id, crew] : m_master.roster.crews())
        answerEarly(id);
}

bool CrewDesk::gathered() const
{
    return std::ranges::none_of(m_master.roster.crews(),
                                [](const auto& entry) { return entry.second.byRecord(); });
}

void CrewDesk::on(CrewId id, CrewReport&& message)
{
    for (const JoinedRank& joined : message.joined) {
        // The record tells who held a rank by what stands before.
        const Rank rank = joined.held.rank;
        const bool replaces = leads(id, rank) && m_master.roster.wasJoined(rank);
        for (RankReport& ofRank : message.reports) {
            if (replaces && ofRank.rank == rank)
                m_master.attempts.takeReport(id, rank, true,
                                             leavingsIn(ofRank.report, message.claimed));
        }
        m_ranks.takeJoined(joined);
    }
    takeClaims(id, message.claimed);
    for (RankReport& ofRank : message.reports) {
        if (leads(id, ofRank.rank))
            m_master.attempts.takeReport(id, ofRank.rank, true, std::move(ofRank.report));
    }
    m_master.scheduler.handedBack(id, message.returned);
    m_ranks.updateSlots(id);
    m_master.record.take(
        {.crew = id, .teller = *m_master.roster.crew(id)->acting(), .number = message.number});
    m_master.mail.sendNoted(m_master.record.takeNoted());
}

void CrewDesk::on(CrewId id, const Mustered&)
{
    m_master.roster.crew(id)->mustered();
    if (m_master.scheduler.knows(id))
        m_master.scheduler.setAway(id, false);
    else
        m_master.scheduler.crewJoined(id, 0);
    m_ranks.updateSlots(id);
    m_operations.crewMustered(id);
    Stop stop;
    for (const Scheduler::Held& held : m_master.scheduler.heldBy(id)) {
        if (held.condemned)
            stop.keys.push_back(held.key);
    }
    if (!stop.keys.empty())
        m_master.mail.send(id, std::move(stop));
    if (const std::uint32_t count = m_master.scheduler.outstanding(id);
        m_master.course.phase == MasterPhase::Draining && count != 0)
        m_master.mail.send(id, Recall{count});
    if (m_master.course.phase == MasterPhase::Killing)
        m_master.mail.send(id, Halt{});
}

void CrewDesk::on(CrewId id, const Returned& message)
{
    m_master.scheduler.returned(id, message.keys);
}

void CrewDesk::on(CrewId id, const Withdrawn& message) { m_operations.withdrawn(id, message); }

void CrewDesk::on(CrewId id, Peeked&& message) { m_master.peeks.answered(id, std::move(message)); }

/// A cluster master may say it before this processor knows who leads, or what the crew holds.
void CrewDesk::answerEarly(CrewId id)
{
    if (const auto said = m_master.roster.crew(id)->takeEarly())
        greeted(id, *said);
}

/// A cluster master learns of it first, perhaps before this processor does.
void CrewDesk::greeted(CrewId id, const Leadership& from)
{
    const Course& course = m_master.course;
    const bool adoptsLater = course.takesOver && course.phase == MasterPhase::Opening;
    if (m_master.roster.crew(id)->greeted(from, !adoptsLater))
        callMuster(id, from);
}

/// Tells a foreman what its crew holds; nothing is given to it until it has looked for that.
void CrewDesk::callMuster(CrewId id, const Leadership& foreman)
{
    Crew& crew = *m_master.roster.crew(id);
    Muster muster{.run = m_master.options.run.hex,
                  .directory = m_master.options.directory,
                  .era = crew.callMuster(foreman),
                  .byRecord = crew.byRecord(),
                  .attempts = {}};
    m_master.peeks.giveUp(id);
    if (m_master.scheduler.knows(id))
        m_master.scheduler.setAway(id, true);
    for (const Scheduler::Held& held : m_master.scheduler.heldBy(id)) {
        muster.attempts.push_back({.key = held.key,
                                   .startedOn = held.started
                                       ? std::optional(m_master.attempts.startedOn(id, held.key))
                                       : std::nullopt});
    }
    m_master.mail.send(id, foreman, std::move(muster));
}

/// What a crew holds that the record does not say: it was handed out, and perhaps done, under the last
/// master.
void CrewDesk::takeClaims(CrewId id, const std::vector<AttemptKey>& claimed)
{
    const Crew& crew = *m_master.roster.crew(id);
    if (!crew.byRecord())
        return;
    Stop stop;
    for (const AttemptKey& key : claimed) {
        if (!m_master.attempts.adopt(id, key, false))
            stop.keys.push_back(key); // its end is in the record: nothing is left to be stopped
    }
    if (!stop.keys.empty())
        m_master.mail.send(id, *crew.acting(), std::move(stop));
}

void CrewDesk::crewLost(CrewId id)
{
    m_master.attempts.crewLost(id);
    m_operations.crewLost(id);
}

} // namespace tasuki::farm
