// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipobserver.h"
#include "membershipstate.h"
#include "messenger.h"

#include "domain/clock.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <vector>

namespace tasuki::hierarchy {

/// What a processor does as one of the others: it sees, tells those who decide or decides itself, takes the
/// place and the seat that the tables give it, and stops when its lease is over.
class Participant {
public:
    /// All outlive this.
    Participant(MembershipState& state, Messenger& messenger, const MembershipObserver& observer)
        : m_state(state), m_at(state.at), m_messenger(messenger), m_observer(observer)
    {}

    /// Takes the first place in the tree.
    void start(SteadyTime now);
    /// Becomes a member again, with what a member knows: nothing that was decided here, or by
    /// others that were cut off too, counts any more.
    /// @param lease  from when that is
    /// @param asked  when the reply was asked for
    void enter(MembershipView view, const BeatReply& reply, SteadyTime lease, SteadyTime asked);
    /// The settings of the view hold from now on.
    void applySettings(SteadyTime now);

    // ---- what is told to listeners
    /// What has changed.
    void announce();
    void tellWords();
    void tellPart();
    /// Logs which seat this processor holds: none when it is leaving, as it does nothing any more
    /// in a seat then, whatever the tables say.
    void tellHolding();

    // ---- what is seen and decided
    void observe(Observed observed, SteadyTime now);
    /// Those whose process had ended before they were watched.
    void observeEndedBefore();
    /// Tells what is not in the tables to those who decide, or decides.
    void report(const std::vector<Observed>& open, SteadyTime now);
    /// Makes what was decided known: to this processor at once, to new holders of seats at once, to the
    /// system master at once, to all others with the next beat.
    void publish();
    /// Kills whom the tables that are written here condemn, or has them killed.
    void fence(SteadyTime now);
    /// Makes another state of the system table known. Each new writer begins a new term: it may not know
    /// what the last one has said.
    void writeSystem(SystemTable system);

    // ---- what comes of tables
    /// Tables have come.
    void take(const Tables& tables, ProcessorId from);
    /// Takes the place that the view implies.
    void reposition(SteadyTime now);
    /// @param again  says what the tables do not show, also what was said before
    void lookAtHolding(bool again = false);

    // ---- who leads
    /// Something came from a processor. @param beats  it beats, or replies to a beat
    void hearFromAbove(ProcessorId from, bool beats);
    /// Who is elsewhere and doubtful says by a reply that it lives.
    void hearAgain(ProcessorId doubtful, std::chrono::nanoseconds majorityAge, SteadyTime now);
    /// Judges the system master by the age of the lease, which comes down from it. A silent one can
    /// be killed on its own host, so that it acts no more when another one does. On other hosts the
    /// masters take it for unreachable, but nobody acts in its place before a majority has heard
    /// nothing of it for longer than leases last.
    void judgeTop(SteadyTime now);
    /// The leases of those whose place this processor takes are over: for longer than they last, a
    /// majority has heard of none of them.
    void establish(SteadyTime now);
    /// Whether this is the system master, and the tables say of all before it that they are no more.
    [[nodiscard]] bool actsAsSystemMaster() const;

    // ---- by which leases
    /// This processor wakes up: messages that wait in sockets may be handled before what is due,
    /// and no lease that has run out is valid meanwhile.
    void wake(SteadyTime now);
    /// @return whether this processor was late
    bool noteLateness(SteadyTime now);
    /// Checks the lease: a processor that has had no answer for too long, or answers only of one
    /// whom no majority follows, is dead to the others, or will soon be.
    void checkLease(SteadyTime now);
    /// The others go on without this one, or it has lost its place.
    void giveUp();
    /// Somebody says that this processor was given up.
    void hearOfOwnLoss(ProcessorId from, std::optional<std::chrono::nanoseconds> lostFor);

private:
    bool adopt(const ClusterTablePtr& table);
    void forget(ProcessorId processor);
    void changePlace(Position position, SteadyTime now);
    void inheritGrant(SteadyTime now);
    void heedVerdict(const ClusterTable& table);
    void hold();
    void takeForUnreachable(ProcessorId top, SteadyTime now);
    void takeElsewhereForUnreachable(ProcessorId top, SteadyTime now);
    void condemnUnreachable(std::chrono::nanoseconds since, SteadyTime now);
    void beginGeneration();
    void renewTerms();
    void turnTo(Standing standing, SteadyTime now);

    MembershipState& m_state;
    Situation& m_at;
    Messenger& m_messenger;
    const MembershipObserver& m_observer;
    bool m_changed = false; ///< the view, since it was announced
    bool m_burying = false; ///< those whose leases are over: nobody needs to be killed
};

} // namespace tasuki::hierarchy
