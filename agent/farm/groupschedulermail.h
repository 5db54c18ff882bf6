// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "hand.h"
#include "messages.h"
#include "workergroups.h"

#include "transport/transport.h"

#include <cstdint>
#include <utility>

namespace tasuki::farm {

/// What a group scheduler sends, to the master in its leadership and to ranks in those of their
/// resynchronisation calls; whom it takes for the master; and whether it has sent anything.
class GroupSchedulerMail {
public:
    /// @param hands, transport  outlive this object
    GroupSchedulerMail(Epoch epoch, GroupId group, ProcessorId master, const Hands& hands,
                       Transport& transport)
        : m_epoch(epoch), m_group(group), m_master(master), m_hands(hands), m_transport(transport)
    {}

    /// @return whether that is another one
    bool setMaster(ProcessorId master) { return std::exchange(m_master, master) != master; }
    void setLeadership(LeadershipNumber leadership) { m_leadership = leadership; }
    /// Whether it is of this life of the run.
    [[nodiscard]] bool isPresent(const Envelope& envelope) const
    {
        return envelope.epoch == m_epoch;
    }
    /// Whether the master says it to this group scheduler, in its present leadership if that matters.
    [[nodiscard]] bool isOfMaster(ProcessorId from, const Envelope& envelope) const;
    /// Whether who holds the rank says it, after its resynchronisation call if that matters.
    [[nodiscard]] static bool isOf(const Hand& hand, ProcessorId from, const Envelope& envelope);

    void sendUp(FarmMessage message);
    /// Precondition: the rank is one of the hands.
    void send(Rank to, FarmMessage message);
    /// @return whether anything was sent since the last call
    bool takeSent() { return std::exchange(m_sent, false); }

private:
    Epoch m_epoch;
    GroupId m_group;
    ProcessorId m_master;
    LeadershipNumber m_leadership;
    const Hands& m_hands;
    Transport& m_transport;
    bool m_sent = false;
};

} // namespace tasuki::farm
