// SPDX-License-Identifier: GPL-3.0-or-later
#include "foremanmail.h"

namespace tasuki::farm {

bool ForemanMail::isOfMaster(ProcessorId from, const Envelope& envelope) const
{
    const bool inTerm = envelope.term == m_term
        || std::holds_alternative<CrewRollCall>(envelope.message);
    return from == m_master && envelope.crew == m_crew && inTerm;
}

bool ForemanMail::isOf(const Hand& hand, ProcessorId from, const Envelope& envelope)
{
    if (hand.state == Hand::State::Vacant || hand.holder != from
        || hand.incarnation != envelope.held.incarnation)
        return false; // of another holding
    return std::holds_alternative<Hello>(envelope.message)
        || (hand.state == Hand::State::Present && envelope.term == hand.call);
}

void ForemanMail::sendUp(FarmMessage message)
{
    m_sent = true;
    m_transport.send(m_master,
                     encode({.epoch = m_epoch,
                             .held = {},
                             .message = std::move(message),
                             .crew = m_crew,
                             .term = m_term}));
}

void ForemanMail::send(Rank to, FarmMessage message)
{
    m_sent = true;
    const Hand& hand = m_hands.at(to);
    m_transport.send(hand.holder,
                     encode({.epoch = m_epoch,
                             .held = {to, hand.incarnation},
                             .message = std::move(message),
                             .crew = {},
                             .term = hand.call}));
}

} // namespace tasuki::farm
