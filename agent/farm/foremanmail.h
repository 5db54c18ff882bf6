// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "crews.h"
#include "hand.h"
#include "messages.h"

#include "transport/transport.h"

#include <cstdint>
#include <utility>

namespace tasuki::farm {

/// What a foreman sends, to the master in its term and to ranks in those of their roll calls; whom it takes
/// for the master; and whether it has sent anything.
class ForemanMail {
public:
    /// @param hands, transport  outlive this object
    ForemanMail(Epoch epoch, CrewId crew, ProcessorId master, const Hands& hands,
                Transport& transport)
        : m_epoch(epoch), m_crew(crew), m_master(master), m_hands(hands), m_transport(transport)
    {}

    /// @return whether that is another one
    bool setMaster(ProcessorId master) { return std::exchange(m_master, master) != master; }
    void setTerm(std::uint64_t term) { m_term = term; }
    /// Whether it is of this life of the run.
    [[nodiscard]] bool isPresent(const Envelope& envelope) const
    {
        return envelope.epoch == m_epoch;
    }
    /// Whether the master says it to this foreman, in its present term if that matters.
    [[nodiscard]] bool isOfMaster(ProcessorId from, const Envelope& envelope) const;
    /// Whether who holds the rank says it, after its roll call if that matters.
    [[nodiscard]] static bool isOf(const Hand& hand, ProcessorId from, const Envelope& envelope);

    void sendUp(FarmMessage message);
    /// Precondition: the rank is one of the hands.
    void send(Rank to, FarmMessage message);
    /// @return whether anything was sent since the last call
    bool takeSent() { return std::exchange(m_sent, false); }

private:
    Epoch m_epoch;
    CrewId m_crew;
    ProcessorId m_master;
    std::uint64_t m_term = 0;
    const Hands& m_hands;
    Transport& m_transport;
    bool m_sent = false;
};

} // namespace tasuki::farm
