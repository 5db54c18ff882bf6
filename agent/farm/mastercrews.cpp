// SPDX-License-Identifier: GPL-3.0-or-later
//
// What the master has to do with foremen.
#include "master.h"

#include <algorithm>
#include <cassert>
#include <functional>
#include <iterator>
#include <utility>

namespace tasuki::farm {

void Master::crewFormed(CrewId crew, std::vector<Rank> ranks)
{
    assert(!ranks.empty());
    m_roster.form(crew, std::move(ranks));
    m_roster.crew(crew)->era = std::uint64_t{m_options.reign}
        << 32U; // beyond what others have told
}

void Master::crewLed(CrewId id, std::optional<ProcessorId> leader)
{
    Crew& crew = *m_roster.crew(id);
    if (std::exchange(crew.leader, leader) == leader)
        return;
    // What was said until now may have been dropped, or is still on its way: whoever leads has to
    // begin anew, also who has led the crew before and has not heard of another one in between.
    crew.acting.reset();
    crew.mustered = false;
    answerPeeksOf(id);
    if (!leader) {
        crew.byRecord = false;
        crewIsLost(id);
        return;
    }
    if (m_scheduler.knows(id))
        m_scheduler.setAway(id, true);
    sendToForeman(id, {.foreman = *leader, .term = 0}, CrewRollCall{});
    answerEarly(id);
}

/// A cluster master may say it before this processor knows who leads, or what the crew holds.
void Master::answerEarly(CrewId id)
{
    Crew& crew = *m_roster.crew(id);
    if (!crew.leader)
        return;
    if (const auto said = crew.early.extract(*crew.leader); !said.empty())
        takeCrewHello(id, {.foreman = said.key(), .term = said.mapped()});
}

void Master::receiveOfCrew(ProcessorId from, Envelope envelope)
{
    const CrewId id = *envelope.crew;
    const Crew* const crew = m_roster.crew(id);
    if (crew == nullptr || m_phase >= Phase::Closing)
        return;
    const Leadership speaker{.foreman = from, .term = envelope.term};
    if (std::holds_alternative<CrewHello>(envelope.message))
        takeCrewHello(id, speaker);
    else if (crew->leader == from && crew->acting == speaker)
        std::visit([this, id](auto&& message) { crewOn(id, std::move(message)); },
                   std::move(envelope.message));
}

/// A cluster master learns of it first, perhaps before this processor does.
void Master::takeCrewHello(CrewId id, const Leadership& from)
{
    Crew& crew = *m_roster.crew(id);
    const bool adoptsLater = m_takesOver && m_phase == Phase::Opening;
    if (crew.leader != from.foreman || adoptsLater) {
        std::uint64_t& newest = crew.early[from.foreman];
        newest = std::max(newest, from.term);
        return;
    }
    std::uint64_t& newest = crew.terms[from.foreman];
    if (from.term <= newest)
        return; // it has been answered
    newest = from.term;
    callMuster(id, crew, from);
}

/// Tells a foreman what its crew holds; nothing is given to it until it has looked for that.
void Master::callMuster(CrewId id, Crew& crew, const Leadership& foreman)
{
    crew.acting = foreman;
    crew.mustered = false;
    answerPeeksOf(id);
    if (m_scheduler.knows(id))
        m_scheduler.setAway(id, true);
    Muster muster{.run = m_options.run.hex,
                  .directory = m_options.directory,
                  .era = ++crew.era,
                  .byRecord = crew.byRecord,
                  .attempts = {}};
    for (const Scheduler::Held& held : m_scheduler.heldBy(id)) {
        muster.attempts.push_back(
            {.key = held.key,
             .startedOn = held.started ? std::optional(startedOn(id, held.key)) : std::nullopt});
    }
    sendToForeman(id, foreman, std::move(muster));
}

void Master::crewIsLost(CrewId id)
{
    for (const Scheduler::Held& held : m_scheduler.crewLost(id)) {
        if (held.started) // Outcome::Lost
            recordEnd(id, startedOn(id, held.key), held.key, SlotIndex(0), AttemptResult{});
    }
    recordSkipped();
    m_operations.crewLost(id);
}

/// @return who reported the start; who is to be killed without having reported one, is told as the
///         crew's first
Rank Master::startedOn(CrewId id, AttemptKey key) const
{
    const auto found = m_startedOn.find(key);
    return found == m_startedOn.end() ? Rank(id.value()) : found->second;
}

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

void Master::crewOn(CrewId id, CrewReport&& message)
{
    for (JoinedRank& joined : message.joined) {
        // The record tells who held a rank by what stands before.
        const Rank rank = joined.held.rank;
        const bool replaces = m_roster.isLed(rank) && m_roster.crewOf(rank) == id
            && m_roster.wasJoined(rank);
        for (RankReport& ofRank : message.reports) {
            if (replaces && ofRank.rank == rank)
                takeReport(id, rank, leavingsIn(ofRank.report, message.claimed));
        }
        takeJoined(std::move(joined));
    }
    takeClaims(id, message.claimed);
    for (RankReport& ofRank : message.reports) {
        if (m_roster.isLed(ofRank.rank) && m_roster.crewOf(ofRank.rank) == id)
            takeReport(id, ofRank.rank, std::move(ofRank.report));
    }
    m_scheduler.handedBack(id, message.returned);
    updateSlots(id);
    noteWhenRecorded({.crew = id, .teller = *m_roster.crew(id)->acting, .number = message.number});
}

void Master::crewOn(CrewId id, const Mustered&)
{
    Crew& crew = *m_roster.crew(id);
    crew.mustered = true;
    crew.byRecord = false;
    if (m_scheduler.knows(id))
        m_scheduler.setAway(id, false);
    else
        m_scheduler.crewJoined(id, 0);
    updateSlots(id);
    m_operations.crewMustered(id);
    Stop stop;
    for (const Scheduler::Held& held : m_scheduler.heldBy(id)) {
        if (held.condemned)
            stop.keys.push_back(held.key);
    }
    if (!stop.keys.empty())
        send(id, std::move(stop));
    if (const std::uint32_t count = m_scheduler.outstanding(id);
        m_phase == Phase::Draining && count != 0)
        send(id, Recall{count});
    if (m_phase == Phase::Killing)
        send(id, Halt{});
}

void Master::crewOn(CrewId id, const Returned& message) { m_scheduler.returned(id, message.keys); }

void Master::crewOn(CrewId id, const Withdrawn& message) { m_operations.withdrawn(id, message); }

void Master::crewOn(CrewId id, Peeked&& message)
{
    const auto found = m_peeks.find(message.number);
    if (found == m_peeks.end() || found->second.crew != id)
        return;
    const auto answer = std::move(found->second.answer);
    m_peeks.erase(found);
    answer(std::move(message.answer));
}

/// A foreman may know of a new holder before this processor does, or of one that is lost by now.
void Master::takeJoined(JoinedRank&& joined)
{
    const Rank rank = joined.held.rank;
    if (!m_roster.isLed(rank))
        return;
    const Incarnation incarnation = joined.held.incarnation;
    if (const Member* const known = m_roster.find(rank);
        known == nullptr || known->incarnation < incarnation) {
        if (known != nullptr && known->state != Member::State::Vacant)
            lose(rank, LossCause::Gone);
        m_roster.hold(rank, joined.holder, incarnation);
    }
    Member& member = *m_roster.find(rank);
    if (member.incarnation != incarnation || member.state == Member::State::Present)
        return; // of an earlier holding, or told by another foreman before
    const bool lost = member.state == Member::State::Vacant;
    if (lost && member.joined)
        return;
    recordJoined(rank, joined.hello);
    if (lost)
        lose(rank, member.cause);
}

void Master::recordJoined(Rank rank, const Hello& hello)
{
    Member& member = *m_roster.find(rank);
    member.state = Member::State::Present;
    member.joined = member.everJoined = true;
    member.slots = hello.slotCount;
    append(ProcessorJoined{.rank = rank,
                           .incarnation = member.incarnation,
                           .host = hello.host,
                           .pid = hello.pid,
                           .slots = hello.slotCount});
}

void Master::updateSlots(CrewId id)
{
    if (m_scheduler.knows(id))
        m_scheduler.setSlots(id, m_roster.openSlots(*m_roster.crew(id)));
}

void Master::sendToForeman(CrewId id, const Leadership& foreman, FarmMessage message)
{
    m_sent = true;
    m_transport.send(foreman.foreman,
                     encode({.epoch = m_journal.epoch(),
                             .held = {},
                             .message = std::move(message),
                             .crew = id,
                             .term = foreman.term}));
}

/// To a crew that is not mustered: dropped, it is said again when it is.
void Master::send(CrewId to, FarmMessage message)
{
    const Crew* const crew = m_roster.crew(to);
    if (crew == nullptr)
        send(Rank(to.value()), std::move(message));
    else if (crew->mustered)
        sendToForeman(to, *crew->acting, std::move(message));
}

} // namespace tasuki::farm
