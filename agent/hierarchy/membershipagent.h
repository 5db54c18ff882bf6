// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipobserver.h"
#include "membershipstate.h"
#include "messenger.h"
#include "outsider.h"
#include "participant.h"
#include "systemoffice.h"

#include "domain/clock.h"
#include "domain/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace tasuki::hierarchy {

/// One processor's part in the failure hierarchy, whatever its role: beats, listens, passes tables
/// on, and, when it is a master, decides. It takes what comes and what is due, and hands it on to its parts.
/// All calls on one thread.
class MembershipAgent {
public:
    /// @param view  that of the beginning, the same for all
    /// @param control, host, clock  outlive the membership agent
    MembershipAgent(ProcessorId self, MembershipView view, MembershipOptions options,
                    ControlPort& control, HostPort& host, const Clock& clock,
                    MembershipObserver observer);
    MembershipAgent(const MembershipAgent&) = delete;
    MembershipAgent& operator=(const MembershipAgent&) = delete;
    ~MembershipAgent() = default;

    /// Takes the first place in the tree and begins to beat. Called once, before everything else. Whose number
    /// is reserved has no place: MembershipObserver::fenced is called at once, and comeBack() has it ask.
    void start();
    /// Takes a message that came from a processor of this run.
    /// @param life  of the sender, in which it said this
    void receive(ProcessorId from, const ControlMessage& message, Life life = Life(1));
    /// A process of this host has ended.
    void gone(ProcessorId processor);
    /// What the next beats say.
    void setReadiness(Readiness readiness);
    void setTurns(std::uint64_t turns) { m_at.turns = turns; }
    /// Nothing is done any more in a seat that was to be let go of.
    void hasStopped(const Holding& holding);
    /// The record says that another processor leads: the others go on without this one, which was the system
    /// master. MembershipObserver::fenced follows.
    void giveUpPlace();
    /// Nothing is left of what a processor did that was fenced: it asks to be let in, in a new life,
    /// until MembershipObserver::rejoined or shutOut is called.
    void comeBack() { m_outsider.comeBack(); }
    /// The system master is told that this processor went on for too long, see MembershipObserver::overlapped.
    /// @param refused  so many of its results do not count
    void tellOverlap(std::uint32_t refused) { m_state.overlaps.tell(refused); }
    /// The system master takes what an operator wants; who writes the table carries it out. That it
    /// is done the view shows: the row of a processor is as wanted, or MembershipObserver::givenUp
    /// is called.
    /// @return an Error of kind Input: it makes no sense as things are, or this is not the system
    ///         master
    Result<void> order(const Order& order);
    /// As order(), for what holds in the whole system; at once.
    Result<void> changeSettings(const Settings& settings);
    /// What a successor finds in the record of the run: no holding of which it knows is given out once
    /// more. Whoever writes the tables is told until they show it, see isBehind().
    void recall(std::vector<RecordedSeat> seats);
    /// Does what is due. To be called at the time that it returns, or before; what it is called
    /// later counts as own lateness.
    SteadyTime poll();

    [[nodiscard]] const MembershipView& view() const { return m_at.view; }
    [[nodiscard]] const Position& position() const { return m_at.position; }
    [[nodiscard]] std::optional<Holding> holding() const { return m_state.seat.now(); }
    [[nodiscard]] bool fenced() const { return m_at.fenced; } ///< and not let in since
    [[nodiscard]] Standing standing() const { return m_state.lease.standing(); }
    [[nodiscard]] WayBack::State wayBack() const { return m_state.wayBack.state(); }
    /// Whether this is the system master, and the tables say of all before it that they are no more.
    [[nodiscard]] bool actsAsSystemMaster() const { return m_participant.actsAsSystemMaster(); }
    /// Whether orders that were accepted here are neither carried out nor given up.
    [[nodiscard]] bool ordersOpen() const { return m_office.ordersOpen(); }

private:
    void on(ProcessorId from, const Beat& beat);
    void on(ProcessorId from, const BeatReply& reply);
    void on(ProcessorId from, const Ask&);
    void on(ProcessorId from, const Banish&);
    void on(ProcessorId from, const Tables& tables);
    void on(ProcessorId from, const TablesWanted& wanted);
    void on(ProcessorId from, const Observations& observations);
    void on(ProcessorId from, const Fence& fence);
    void on(ProcessorId from, const Taken& taken);
    void on(ProcessorId from, const Vacated& vacated);
    void on(ProcessorId from, const Orders& orders);
    void on(ProcessorId from, const Rejoin& plea);
    void on(ProcessorId from, const Overlap& overlap);
    void on(ProcessorId from, const Admission&);
    void on(ProcessorId from, const Recorded& recorded);
    [[nodiscard]] bool mayCount(ProcessorId from, const ControlMessage& message, Life life);
    void noteBeat(ProcessorId from, const Beat& beat, SteadyTime now);
    void takeLeases(ProcessorId from, const BeatReply& reply, SteadyTime asked);
    void lookAround(SteadyTime now);
    void compareHealth(SteadyTime now);
    void judgeSelf(SteadyTime now);
    void tellSilence(SteadyTime now);
    void beat(SteadyTime now);
    void reportOpen(SteadyTime now);
    void beatPastTheDeaf(SteadyTime now);
    void beatAround(SteadyTime now);
    void askTheUnheard(SteadyTime now);
    [[nodiscard]] SteadyTime nextLook(SteadyTime now) const;
    SteadyTime sleepUntil(SteadyTime due);
    void announce();

    MembershipObserver m_observer;
    MembershipState m_state;
    Situation& m_at = m_state.at;
    Messenger m_messenger;
    Participant m_participant;
    SystemOffice m_office;
    Outsider m_outsider;
};

} // namespace tasuki::hierarchy
