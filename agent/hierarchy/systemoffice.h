// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipobserver.h"
#include "membershipstate.h"
#include "messenger.h"
#include "orderbook.h"
#include "participant.h"
#include "recordedseat.h"

#include "domain/clock.h"
#include "domain/result.h"

#include <vector>

namespace tasuki::hierarchy {

/// What only the system master does: it lets the system start, takes what operators want, changes settings
/// and voters, has the tables go on from what the record of the run knows, and says who is let in again.
class SystemOffice {
public:
    /// All outlive this.
    SystemOffice(MembershipState& state, Messenger& messenger, Participant& participant,
                 const MembershipObserver& observer)
        : m_state(state),
          m_at(state.at),
          m_messenger(messenger),
          m_participant(participant),
          m_observer(observer),
          m_orders(m_at.self)
    {}

    /// The time for the start begins.
    void begin(SteadyTime now) { m_begun = now; }
    /// Begins the run when all are ready, and says who is not when that takes too long.
    void watchStart(SteadyTime now);
    /// Voters follow who lives.
    void settleVoters(SteadyTime now);

    // ---- what operators want: see MembershipAgent
    Result<void> order(const Order& order);
    Result<void> changeSettings(const Settings& settings);
    [[nodiscard]] bool ordersOpen() const { return !m_orders.empty(); }
    /// Carries out what is open, or tells who does.
    void sayOrders(SteadyTime now);
    /// Carries out what another one tells that it is wanted, if the table is written here.
    void carryOut(ProcessorId issuer, const Orders& orders);
    /// Forgets what the tables show, and says what cannot be done any more.
    void compare();

    // ---- what the record of the run knows and the tables may not: see RecordedSeat
    void recall(std::vector<RecordedSeat> seats);
    /// Has the tables go on from what is recorded, or tells who writes them.
    void sayRecalled();
    /// The same that another one tells, if the table is written here.
    void recall(const Recorded& recorded);

    /// Somebody who has given itself up asks to be let in.
    /// @param from  who says so: itself, or who passes it on
    void hear(ProcessorId from, const Rejoin& plea);
    /// Somebody went on in its place after others had given it up.
    void hear(ProcessorId from, const Overlap& overlap);
    void beginAnew();

private:
    /// What becomes of somebody who wants to be let in.
    enum class Entry : std::uint8_t {
        Open,
        OtherLife, ///< the tables have that one as lost
        Never,
        AskOthers, ///< it is not decided here
    };
    [[nodiscard]] Entry entryOf(const Rejoin& plea, SteadyTime now) const;
    void letIn(const Rejoin& plea, SteadyTime now);
    void passOn(ProcessorId from, const Rejoin& plea, SteadyTime now);
    [[nodiscard]] Result<void> takesOrders() const;
    void carryOut(ProcessorId issuer, const NumberedOrder& order, SteadyTime now);

    MembershipState& m_state;
    Situation& m_at;
    Messenger& m_messenger;
    Participant& m_participant;
    const MembershipObserver& m_observer;
    OrderBook m_orders;
    std::vector<RecordedSeat> m_recalled; ///< which the tables do not show yet
    SteadyTime m_begun{};
    bool m_missingSaid = false;
};

} // namespace tasuki::hierarchy
