// SPDX-License-Identifier: GPL-3.0-or-later
#include "mastermail.h"

namespace tasuki::farm {

void MasterMail::send(Rank to, FarmMessage message)
{
    const Member& member = *m_roster.find(to);
    post(member.holder, {m_journal.epoch(), {to, member.incarnation}, std::move(message)});
}

void MasterMail::send(GroupId to, FarmMessage message)
{
    const WorkerGroup* const group = m_roster.group(to);
    if (group == nullptr)
        send(Rank(to.value()), std::move(message));
    else if (group->isResynced())
        send(to, *group->acting(), std::move(message));
}

void MasterMail::send(GroupId group, const Leadership& to, FarmMessage message)
{
    post(to.groupScheduler,
         {.epoch = m_journal.epoch(),
          .held = {},
          .message = std::move(message),
          .group = group,
          .leadership = to.number});
}

void MasterMail::send(ProcessorId to, FarmMessage message)
{
    post(to, {m_journal.epoch(), {}, std::move(message)});
}

void MasterMail::sendNoted(const std::vector<TakenReport>& reports)
{
    for (const TakenReport& report : reports) {
        if (const auto* const groupScheduler = std::get_if<Leadership>(&report.teller)) {
            if (m_roster.group(report.group)->acting() == *groupScheduler)
                send(report.group, *groupScheduler, GroupNoted{report.number});
            continue;
        }
        const auto& held = std::get<HeldRank>(report.teller);
        const Member& member = *m_roster.find(held.rank);
        if (member.state == Member::State::Present && member.incarnation == held.incarnation)
            send(held.rank, Noted{report.number});
    }
}

void MasterMail::post(ProcessorId to, const Envelope& envelope)
{
    m_sent = true;
    m_transport.send(to, encode(envelope));
}

} // namespace tasuki::farm
