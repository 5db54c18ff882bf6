// SPDX-License-Identifier: GPL-3.0-or-later
#include "groupdesk.h"

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

void GroupDesk::formed(GroupId group, std::vector<Rank> ranks)
{
    // Beyond what others have told.
    const Era era(std::uint64_t{m_master.options.term.value()} << 32U);
    m_master.roster.form(group, WorkerGroup(std::move(ranks), era));
}

void GroupDesk::led(GroupId id, std::optional<ProcessorId> leader)
{
    if (!m_master.roster.group(id)->lead(leader))
        return;
    m_master.peeks.giveUp(id);
    if (!leader) {
        groupLost(id);
        return;
    }
    if (m_master.scheduler.knows(id))
        m_master.scheduler.setUnreachable(id, true);
    m_master.mail.send(id, {.groupScheduler = *leader, .number = {}}, GroupResyncCall{});
    answerEarly(id);
}

void GroupDesk::receive(ProcessorId from, Envelope envelope)
{
    const GroupId id = *envelope.group;
    const WorkerGroup* const group = m_master.roster.group(id);
    if (group == nullptr || m_master.course.closing())
        return;
    const Leadership speaker{.groupScheduler = from, .number = envelope.leadership};
    if (std::holds_alternative<GroupHello>(envelope.message))
        greeted(id, speaker);
    else if (group->believes(speaker))
        std::visit([this, id](auto&& message) { on(id, std::move(message)); },
                   std::move(envelope.message));
}

void GroupDesk::adoptRecorded()
{
    for (const auto& [id, group] : m_master.roster.groups()) {
        m_master.scheduler.groupJoined(id, m_master.roster.openSlots(group));
        m_master.scheduler.setUnreachable(id, true);
    }
    m_master.attempts.adoptStarted(m_master.roster);
    for (const auto& [id, group] : m_master.roster.groups()) {
        m_master.roster.group(id)->goByRecord();
        if (!group.leader())
            groupLost(id);
    }
}

void GroupDesk::answerEarly()
{
    for (const auto& [id, group] : m_master.roster.groups())
        answerEarly(id);
}

bool GroupDesk::gathered() const
{
    return std::ranges::none_of(m_master.roster.groups(),
                                [](const auto& entry) { return entry.second.byRecord(); });
}

void GroupDesk::on(GroupId id, GroupReport&& message)
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
        {.group = id, .teller = *m_master.roster.group(id)->acting(), .number = message.number});
    m_master.mail.sendNoted(m_master.record.takeNoted());
}

void GroupDesk::on(GroupId id, const Resynced&)
{
    m_master.roster.group(id)->resynced();
    if (m_master.scheduler.knows(id))
        m_master.scheduler.setUnreachable(id, false);
    else
        m_master.scheduler.groupJoined(id, 0);
    m_ranks.updateSlots(id);
    m_operations.groupResynced(id);
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

void GroupDesk::on(GroupId id, const Returned& message)
{
    m_master.scheduler.returned(id, message.keys);
}

void GroupDesk::on(GroupId id, const Withdrawn& message) { m_operations.withdrawn(id, message); }

void GroupDesk::on(GroupId id, Peeked&& message)
{
    m_master.peeks.answered(id, std::move(message));
}

/// A cluster master may say it before this processor knows who leads, or what the worker group holds.
void GroupDesk::answerEarly(GroupId id)
{
    if (const auto said = m_master.roster.group(id)->takeEarly())
        greeted(id, *said);
}

/// A cluster master learns of it first, perhaps before this processor does.
void GroupDesk::greeted(GroupId id, const Leadership& from)
{
    const Course& course = m_master.course;
    const bool adoptsLater = course.takesOver && course.phase == MasterPhase::Opening;
    if (m_master.roster.group(id)->greeted(from, !adoptsLater))
        callResync(id, from);
}

/// Tells a group scheduler what its worker group holds; nothing is given to it until it has looked for that.
void GroupDesk::callResync(GroupId id, const Leadership& groupScheduler)
{
    WorkerGroup& group = *m_master.roster.group(id);
    Resync resync{.run = m_master.options.run.hex,
                  .directory = m_master.options.directory,
                  .era = group.callResync(groupScheduler),
                  .byRecord = group.byRecord(),
                  .attempts = {}};
    m_master.peeks.giveUp(id);
    if (m_master.scheduler.knows(id))
        m_master.scheduler.setUnreachable(id, true);
    for (const Scheduler::Held& held : m_master.scheduler.heldBy(id)) {
        resync.attempts.push_back({.key = held.key,
                                   .startedOn = held.started
                                       ? std::optional(m_master.attempts.startedOn(id, held.key))
                                       : std::nullopt});
    }
    m_master.mail.send(id, groupScheduler, std::move(resync));
}

/// What a worker group holds that the record does not say: it was handed out, and perhaps done, under the last
/// master.
void GroupDesk::takeClaims(GroupId id, const std::vector<AttemptKey>& claimed)
{
    const WorkerGroup& group = *m_master.roster.group(id);
    if (!group.byRecord())
        return;
    Stop stop;
    for (const AttemptKey& key : claimed) {
        if (!m_master.attempts.adopt(id, key, false))
            stop.keys.push_back(key); // its end is in the record: nothing is left to be stopped
    }
    if (!stop.keys.empty())
        m_master.mail.send(id, *group.acting(), std::move(stop));
}

void GroupDesk::groupLost(GroupId id)
{
    m_master.attempts.groupLost(id);
    m_operations.groupLost(id);
}

} // namespace tasuki::farm
