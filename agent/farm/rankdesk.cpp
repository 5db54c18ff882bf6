// SPDX-License-Identifier: GPL-3.0-or-later
#include "rankdesk.h"

#include "domain/rankname.h"

#include <utility>

namespace tasuki::farm {

RankDesk::RankDesk(MasterState& master, Operations& operations)
    : m_master(master), m_operations(operations)
{
    if (!m_master.record.goesOn())
        return;
    for (const auto& [rank, processor] : m_master.record.state().processors()) {
        if (processor.incarnation == Incarnation())
            continue; // nobody held it yet
        m_master.roster.seed(rank, processor);
        if (processor.present)
            m_unconfirmed.insert(rank);
    }
}

void RankDesk::held(Rank rank, ProcessorId holder, Incarnation incarnation)
{
    m_unconfirmed.erase(rank);
    if (Member* const member = m_master.roster.find(rank); member != nullptr) {
        const bool vacant = member->state == Member::State::Vacant;
        if (member->incarnation == incarnation && (!vacant || member->joined)) {
            member->holder = holder;
            return; // its group scheduler has said so before, or the record; perhaps that it is over, too
        }
        if (!vacant)
            lose(rank, LossCause::Gone);
    }
    m_master.roster.hold(rank, holder, incarnation);
    const auto early = m_early.extract(rank);
    if (!early.empty() && early.mapped().from == holder
        && early.mapped().incarnation == incarnation)
        welcome(rank, early.mapped().hello);
}

void RankDesk::lost(Rank rank, Incarnation incarnation, LossCause cause)
{
    const Member* const member = m_master.roster.find(rank);
    if (member != nullptr && member->state != Member::State::Vacant
        && member->incarnation == incarnation)
        lose(rank, cause);
}

void RankDesk::setOpen(Rank rank, bool open)
{
    Member* const member = m_master.roster.find(rank);
    if (member == nullptr)
        return;
    member->open = open;
    if (m_master.roster.isLed(rank))
        updateSlots(m_master.roster.groupOf(rank));
    else if (member->state == Member::State::Present)
        m_master.scheduler.setOpen(groupOf(rank), open);
}

void RankDesk::left(ProcessorId processor)
{
    for (const auto& [rank, member] : m_master.roster.members()) {
        if (member.holder == processor && member.state != Member::State::Vacant) {
            lose(rank, LossCause::Left);
            return;
        }
    }
}

void RankDesk::receive(ProcessorId from, Envelope envelope)
{
    const Rank rank = envelope.held.rank;
    const Member* const member = m_master.roster.find(rank);
    if (member == nullptr || member->state == Member::State::Vacant || member->holder != from
        || member->incarnation != envelope.held.incarnation) {
        keepForLater(from, envelope);
        return; // of an earlier holding, or of one that is not known yet
    }
    if (m_master.roster.isLed(rank) && !std::holds_alternative<Broken>(envelope.message))
        return; // its group scheduler's affair
    if (const auto* hello = std::get_if<Hello>(&envelope.message)) {
        welcome(rank, *hello);
        return;
    }
    if (member->state != Member::State::Present)
        return;
    std::visit([this, rank](auto&& message) { on(rank, std::move(message)); },
               std::move(envelope.message));
}

void RankDesk::loseUnconfirmed()
{
    for (const Rank rank : std::exchange(m_unconfirmed, {}))
        lose(rank, LossCause::Gone);
}

void RankDesk::takeJoined(const JoinedRank& joined)
{
    const Rank rank = joined.held.rank;
    if (!m_master.roster.isLed(rank))
        return;
    const Incarnation incarnation = joined.held.incarnation;
    if (const Member* const known = m_master.roster.find(rank);
        known == nullptr || known->incarnation < incarnation) {
        if (known != nullptr && known->state != Member::State::Vacant)
            lose(rank, LossCause::Gone);
        m_master.roster.hold(rank, joined.holder, incarnation);
    }
    const Member& member = *m_master.roster.find(rank);
    if (member.incarnation != incarnation || member.state == Member::State::Present)
        return; // of an earlier holding, or told by another group scheduler before
    const bool lost = member.state == Member::State::Vacant;
    if (lost && member.joined)
        return;
    recordJoined(rank, joined.hello);
    if (lost)
        lose(rank, member.cause);
}

void RankDesk::updateSlots(GroupId group)
{
    if (m_master.scheduler.knows(group))
        m_master.scheduler.setSlots(group,
                                    m_master.roster.openSlots(*m_master.roster.group(group)));
}

void RankDesk::on(Rank from, Report&& message)
{
    const GroupId group = groupOf(from);
    const std::uint64_t number = message.number;
    m_master.attempts.takeReport(group, from, false, std::move(message));
    m_master.record.take({.group = group,
                          .teller = HeldRank{from, m_master.roster.find(from)->incarnation},
                          .number = number});
    m_master.mail.sendNoted(m_master.record.takeNoted());
}

void RankDesk::on(Rank from, const Returned& message)
{
    m_master.scheduler.returned(groupOf(from), message.keys);
}

void RankDesk::on(Rank from, const Withdrawn& message)
{
    m_operations.withdrawn(groupOf(from), message);
}

void RankDesk::on(Rank from, Peeked&& message)
{
    m_master.peeks.answered(groupOf(from), std::move(message));
}

void RankDesk::on(Rank from, const Broken& message)
{
    if (!m_master.course.closing()) {
        m_master.record.append(Notice{.severity = Severity::Failure,
                                      .text = rankName(m_master.record.state().system(), from)
                                          + " cannot run tasks: " + message.reason});
    }
    lose(from, LossCause::Left);
}

/// A new holder learns of it from its cluster master, perhaps before this processor does.
void RankDesk::keepForLater(ProcessorId from, const Envelope& envelope)
{
    const Member* const member = m_master.roster.find(envelope.held.rank);
    const auto* const hello = std::get_if<Hello>(&envelope.message);
    if (hello != nullptr && member != nullptr && !m_master.roster.isLed(envelope.held.rank)
        && envelope.held.incarnation > member->incarnation)
        m_early[envelope.held.rank] = {from, envelope.held.incarnation, *hello};
}

void RankDesk::welcome(Rank rank, const Hello& hello)
{
    if (m_master.course.closing())
        return;
    const Member& member = *m_master.roster.find(rank);
    m_master.mail.send(
        rank, Welcome{.run = m_master.options.run.hex, .directory = m_master.options.directory});
    if (member.state == Member::State::Present)
        return; // the first welcome was still on its way
    recordJoined(rank, hello);
    m_master.scheduler.groupJoined(groupOf(rank), hello.slotCount);
    m_master.scheduler.setOpen(groupOf(rank), member.open);
    if (m_master.course.phase == MasterPhase::Killing)
        m_master.mail.send(rank, Halt{});
}

void RankDesk::recordJoined(Rank rank, const Hello& hello)
{
    Member& member = *m_master.roster.find(rank);
    member.state = Member::State::Present;
    member.joined = member.everJoined = true;
    member.slots = hello.slotCount;
    m_master.record.append(ProcessorJoined{.rank = rank,
                                           .incarnation = member.incarnation,
                                           .host = hello.host,
                                           .pid = hello.pid,
                                           .slots = hello.slotCount});
}

void RankDesk::lose(Rank rank, LossCause cause)
{
    Member& member = *m_master.roster.find(rank);
    const bool wasPresent = member.state == Member::State::Present;
    member.state = Member::State::Vacant;
    member.cause = cause;
    if (!wasPresent)
        return;
    if (m_master.roster.isLed(rank)) {
        updateSlots(m_master.roster.groupOf(rank)); // what it held is its group scheduler's affair
    } else {
        m_master.attempts.groupLost(groupOf(rank));
        m_operations.groupLost(groupOf(rank));
        m_master.peeks.giveUp(groupOf(rank));
    }
    if (!m_master.course.closing())
        m_master.record.append(
            ProcessorLost{.rank = rank, .incarnation = member.incarnation, .cause = cause});
}

} // namespace tasuki::farm
