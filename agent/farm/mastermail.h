// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"
#include "roster.h"
#include "takenreports.h"

#include "recorder/journal.h"
#include "transport/transport.h"

#include <utility>
#include <vector>

namespace tasuki::farm {

/// What a master sends, by who holds the rank or leads the worker group; and whether it has sent anything.
class MasterMail {
public:
    /// @param roster, transport, journal  outlive this object
    MasterMail(const Roster& roster, Transport& transport, const Journal& journal)
        : m_roster(roster), m_transport(transport), m_journal(journal)
    {}

    /// Precondition: somebody has held the rank.
    void send(Rank to, FarmMessage message);
    /// To a worker group that is not resynchronised: dropped, it is said again when it is.
    void send(GroupId to, FarmMessage message);
    void send(GroupId group, const Leadership& to, FarmMessage message);
    void send(ProcessorId to, FarmMessage message);
    /// Tells the senders of these reports that are still there that they need not keep them.
    void sendNoted(const std::vector<TakenReport>& reports);
    /// @return whether anything was sent since the last call
    bool takeSent() { return std::exchange(m_sent, false); }

private:
    void post(ProcessorId to, const Envelope& envelope);

    const Roster& m_roster;
    Transport& m_transport;
    const Journal& m_journal;
    bool m_sent = false;
};

} // namespace tasuki::farm
