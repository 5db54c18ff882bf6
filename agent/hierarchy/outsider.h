// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipobserver.h"
#include "membershipstate.h"
#include "messages.h"
#include "messenger.h"
#include "participant.h"

#include "domain/clock.h"

#include <cstdint>
#include <functional>

namespace tasuki::hierarchy {

/// What a processor does that has given itself up: it asks to be let in again, in a new life, and hears what
/// is said to one that is no member. The table: docs/hierarchy.md, "Coming back".
class Outsider {
public:
    /// All outlive this.
    /// @param entering  called before it is a member again: what was decided before counts no more
    Outsider(MembershipState& state, Messenger& messenger, Participant& participant,
             const MembershipObserver& observer, std::function<void()> entering)
        : m_state(state),
          m_at(state.at),
          m_messenger(messenger),
          m_participant(participant),
          m_observer(observer),
          m_entering(std::move(entering)),
          m_first(m_at.view)
    {}

    /// Nothing is left of what it did: it asks from now on, if it may.
    void comeBack();
    /// Says what is due.
    void poll(SteadyTime now);
    void receive(ProcessorId from, const ControlMessage& message);

private:
    void shutOut();
    void hear(ProcessorId from, const Admission& admission);
    void hear(ProcessorId from, const Banish& banish);

    MembershipState& m_state;
    Situation& m_at;
    Messenger& m_messenger;
    Participant& m_participant;
    const MembershipObserver& m_observer;
    const std::function<void()> m_entering;
    const MembershipView m_first; ///< of the beginning
};

} // namespace tasuki::hierarchy
