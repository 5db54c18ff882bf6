// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "following.h"
#include "lease.h"
#include "renewal.h"
#include "situation.h"
#include "tree.h"

#include "domain/clock.h"

#include <chrono>
#include <map>
#include <optional>
#include <vector>

namespace tasuki::hierarchy {

/// Who is system master as this processor sees it: whom it hears, and whom it takes for unreachable before the
/// tables say so. Says who is to be asked; sends nothing. docs/hierarchy.md, "Who is who".
class Succession {
public:
    /// All outlive this.
    Succession(const Situation& at, const Lease& lease, const Following& following)
        : m_at(at), m_lease(lease), m_following(following)
    {}

    // ---- what is known
    /// Former system masters, before the tables say so.
    [[nodiscard]] const Unreachable& unreachable() const { return m_unreachable; }
    /// Of them, who is elsewhere and silent: it may act still.
    [[nodiscard]] const Unreachable& doubtful() const { return m_doubtful; }
    /// The system master as it was watched last; none: this processor, or nobody.
    [[nodiscard]] std::optional<ProcessorId> top() const { return m_top; }
    /// The first in the order of succession that is not taken for unreachable.
    [[nodiscard]] std::optional<ProcessorId> first() const
    {
        return systemMaster(m_at.view, m_unreachable);
    }
    /// When the system master was heard, as far as leases tell.
    [[nodiscard]] SteadyTime topLease() const { return m_topLease.given(); }
    /// Whether the system master is silent, or heard without a majority: it is taken for unreachable.
    [[nodiscard]] bool isSilent(SteadyTime now) const;
    /// How long nothing was heard of it.
    [[nodiscard]] std::chrono::nanoseconds silentFor(SteadyTime now) const
    {
        return now - heardLast();
    }

    // ---- what comes
    /// The system master gives leases from now on, as far as is known.
    void restartTop(SteadyTime now) { m_topLease.restart(now); }
    void moveTop(SteadyTime now) { m_topLease.move(now); }
    /// A lease came that was given then.
    void takeTopLease(const BeatReply& reply, SteadyTime given);
    void noteLateness(std::chrono::nanoseconds late, SteadyTime now)
    {
        m_topLease.addLateness(late, now);
    }
    /// Something came from a processor. Who is elsewhere may be deaf: only what it says to be heard counts.
    /// @param beats    it beats, or replies to a beat
    /// @param watched  from here
    /// @return whether it was taken for unreachable and is not: see putBack()
    [[nodiscard]] bool hear(ProcessorId from, bool beats, bool watched, SteadyTime now);
    /// Who is elsewhere answers.
    /// @param majorityAge  how old the newest word is that a majority follows it
    /// @return whether it is to be put back: when a majority follows it; or, to let it gather one,
    ///         when none follows anybody: processors that were cut off from each other go by the
    ///         order of succession
    [[nodiscard]] bool hearDoubtful(ProcessorId doubtful, std::chrono::nanoseconds majorityAge,
                                    SteadyTime now);
    /// A processor is not taken for unreachable any more, nor are those that were only because it
    /// was.
    /// @return whether the place in the tree may be another one by that
    bool putBack(ProcessorId processor);
    /// Forgets processors that the tables show as dead: they need not stand here, too.
    /// @return whether somebody was doubtful
    bool forgetDead();
    /// This processor has another parent.
    void hasOtherParent(SteadyTime now) { m_parentSince = now; }
    /// @return the system master, if it is a new one and not this processor: its end is to be
    ///         watched
    [[nodiscard]] std::optional<ProcessorId> newTop(SteadyTime now);
    void forget(ProcessorId processor);
    /// A new life begins.
    void beginAnew(SteadyTime now);

    // ---- what is concluded
    /// The system master does not count any more, whatever the tables say.
    void takeForUnreachable(ProcessorId top, SteadyTime now);
    /// After that, and with a new place: the next one has its time from then.
    void giveTime() { m_topHeard = m_succeedFrom; }
    /// A system master elsewhere is silent. Its host may be cut off with it: then those of its unit
    /// are no better successors, and the next ones are asked at once. From then on a processor that
    /// does not answer soon is taken for unreachable too.
    /// @return whom to ask at once
    [[nodiscard]] std::vector<ProcessorId> takeElsewhereForUnreachable(ProcessorId top,
                                                                       SteadyTime now);
    /// Whether the system master is powerless; it is passed over for a while then.
    void judgePower(SteadyTime now);
    /// Those before this processor are no more: it is established.
    [[nodiscard]] Unreachable takeDoubtful() { return std::exchange(m_doubtful, {}); }
    bool eraseDoubtful(ProcessorId one) { return m_doubtful.erase(one) != 0; }
    /// Whom to ask with this beat. Before the successor takes the system master for silent it asks
    /// it directly: silence of the processors between them is no proof. A processor that was taken
    /// for unreachable is asked as long as nobody acts in its place.
    [[nodiscard]] std::vector<ProcessorId> toAsk(SteadyTime now) const;
    /// Whether nothing is heard of the system master any more, by whatever way. When it is
    /// elsewhere, this is known long before anybody writes it into a table.
    /// @return what it is now; none: as before
    [[nodiscard]] std::optional<bool> silenceChanged(SteadyTime now);

    /// Whether the loss of a processor may be decided here. When that processor is elsewhere this
    /// needs a majority, as perhaps this side is cut off; and the majority must have been there
    /// after the processor fell silent, not only before.
    [[nodiscard]] bool mayDecide(const Observed& observed, SteadyTime now) const;

private:
    [[nodiscard]] SteadyTime heardLast() const
    {
        return std::max({m_topLease.given(), m_topHeard, m_succeedFrom});
    }
    [[nodiscard]] bool isSuccessor() const;
    [[nodiscard]] bool isPowerless(SteadyTime now) const;
    void takeUnitForUnreachable(ProcessorId top, SteadyTime now);
    [[nodiscard]] std::vector<ProcessorId> thoseBefore() const;
    void addUnit(ProcessorId one, Unreachable& unreachable) const;

    const Situation& m_at;
    const Lease& m_lease;
    const Following& m_following;
    Unreachable m_unreachable;
    Unreachable m_doubtful;
    std::optional<ProcessorId> m_top; ///< watched
    SteadyTime m_topHeard{};
    Renewal m_topLease;         ///< the lease, as far as it comes from there
    SteadyTime m_succeedFrom{}; ///< when somebody was taken for unreachable last
    SteadyTime m_putBackAt{};   ///< when a system master without a grant was, last
    SteadyTime m_parentSince{};
    std::map<ProcessorId, SteadyTime> m_passedOver; ///< until when, those without a majority
    std::map<ProcessorId, SteadyTime> m_heard;      ///< beats and replies of who is elsewhere
    bool m_silenceSaid = false;
};

} // namespace tasuki::hierarchy
