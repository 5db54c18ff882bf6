// SPDX-License-Identifier: GPL-3.0-or-later
#include "groupschedulermail.h"

namespace tasuki::farm {

bool GroupSchedulerMail::isOfMaster(ProcessorId from, const Envelope& envelope) const
{
    const bool inLeadership = envelope.leadership == m_leadership
        || std::holds_alternative<GroupResyncCall>(envelope.message);
    return from == m_master && envelope.group == m_group && inLeadership;
}

bool GroupSchedulerMail::isOf(const Hand& hand, ProcessorId from, const Envelope& envelope)
{
    if (hand.state == Hand::State::Vacant || hand.holder != from
        || hand.incarnation != envelope.held.incarnation)
        return false; // of another holding
    return std::holds_alternative<Hello>(envelope.message)
        || (hand.state == Hand::State::Present && envelope.leadership == hand.call);
}

void GroupSchedulerMail::sendUp(FarmMessage message)
{
    m_sent = true;
    m_transport.send(m_master,
                     encode({.epoch = m_epoch,
                             .held = {},
                             .message = std::move(message),
                             .group = m_group,
                             .leadership = m_leadership}));
}

void GroupSchedulerMail::send(Rank to, FarmMessage message)
{
    m_sent = true;
    const Hand& hand = m_hands.at(to);
    m_transport.send(hand.holder,
                     encode({.epoch = m_epoch,
                             .held = {to, hand.incarnation},
                             .message = std::move(message),
                             .group = {},
                             .leadership = hand.call}));
}

} // namespace tasuki::farm
