// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipstate.h"
#include "messages.h"
#include "ports.h"

#include "domain/clock.h"

#include <cstdint>
#include <vector>

namespace tasuki::hierarchy {

/// Puts together what a processor says to the others from what it knows, and sends it.
class Messenger {
public:
    /// Both outlive this.
    Messenger(MembershipState& state, ControlPort& control)
        : m_state(state), m_at(state.at), m_control(control)
    {}

    /// One that has given itself up says nothing as one of the others any more.
    void send(ProcessorId to, ControlMessage message);
    void send(Mail mail);
    /// Asks for beats.
    void ask(const std::vector<ProcessorId>& whom);
    /// @param forLease  what comes back renews the lease
    void beat(ProcessorId to, bool forLease = true);
    [[nodiscard]] BeatReply replyTo(std::uint64_t number, SteadyTime now);
    /// Those who followed this processor are told that it makes no stamps any more.
    void standDown(SteadyTime now);
    /// Tells who writes the own table what it does not show, or has it written here.
    /// @param again  also what was said before
    void sayHolding(const HeldSeat::Look& look, bool again);
    /// That it went on in its place, also by one that has given itself up.
    void sayOverlap();
    /// One that has given itself up wants to be let in.
    void plead(ProcessorId to, SteadyTime now);
    /// What others have of an earlier life does not count from now on, neither what they say to it.
    void beginLife(Life life);

private:
    MembershipState& m_state;
    Situation& m_at;
    ControlPort& m_control;
};

} // namespace tasuki::hierarchy
