// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "renewal.h"
#include "situation.h"
#include "standing.h"

#include "domain/clock.h"

#include <chrono>
#include <optional>
#include <utility>

namespace tasuki::hierarchy {

/// What allows a processor to act, and for how long: its lease, which comes down from the system
/// master, and the grant of the majority that follows the same leader. Rules and reasons:
/// docs/membership.md.
class Lease {
public:
    /// @param at  outlives this
    explicit Lease(const Situation& at) : m_at(at) {}

    // ---- words that renew it
    /// Everything is of now: before the start all is valid.
    void restart(SteadyTime now);
    /// As restart(), with what an admission says.
    void enter(SteadyTime lease, SteadyTime grant, SteadyTime sole, SteadyTime now);
    /// The lease of the system master is always of now.
    void leadsHere(SteadyTime now) { m_lease.restart(now); }
    /// Where nobody is elsewhere no majority is needed.
    void grantsItself(SteadyTime now);
    /// Somebody answered a beat.
    /// @param when  from when its lease is
    void takeLease(ProcessorId from, SteadyTime when);
    /// Others go by another rhythm from now on.
    void moveLease(SteadyTime now) { m_lease.move(now); }
    /// @param when  a majority followed the system master
    /// @return whether that is newer than what was known
    bool takeGrant(SteadyTime when) { return m_grant.renew(when); }
    /// @param when  it followed nobody else
    bool takeSole(SteadyTime when);
    /// The grant of another one counts as of no later than that.
    void lowerGrant(SteadyTime when);
    /// This processor was late until now.
    void noteLateness(std::chrono::nanoseconds late, SteadyTime now);

    // ---- what they are worth
    [[nodiscard]] const Renewal& lease() const { return m_lease; }
    [[nodiscard]] const Renewal& grant() const { return m_grant; }
    [[nodiscard]] SteadyTime sole() const { return m_sole; }
    [[nodiscard]] std::optional<ProcessorId> leaseBy() const { return m_leaseBy; }
    /// @return how long lease and grant last
    [[nodiscard]] std::pair<std::chrono::nanoseconds, std::chrono::nanoseconds> lengths(
        SteadyTime now) const;
    /// @return when what is done by them must have ended
    [[nodiscard]] SteadyTime over(SteadyTime now) const;
    /// @return before that, silence from above means nothing, and no lease is over
    /// @param top  when the system master was heard, as far as leases tell
    [[nodiscard]] SteadyTime quietUntil(SteadyTime top, SteadyTime now) const;
    /// Whether a majority is known to follow the system master and nobody else: then nobody on whom it
    /// does not count can act for longer than leases are waited for.
    [[nodiscard]] bool trusted(SteadyTime now) const { return trustHolds(m_sole, now); }
    /// Whether what a majority said then is not too old to act by.
    [[nodiscard]] bool trustHolds(SteadyTime when, SteadyTime now) const;
    /// Whether within so long this processor could hear nothing: it was stopped, or cut off, as it may be
    /// still.
    [[nodiscard]] bool wasDeaf(SteadyTime now, std::chrono::nanoseconds within) const;
    /// Whether within so long this processor was stopped.
    [[nodiscard]] bool wasStopped(SteadyTime now, std::chrono::nanoseconds within) const
    {
        return now - m_stoppedUntil < within;
    }
    /// Looks whether the grant is of late.
    /// @return whether it is so again
    bool grantedAgain(SteadyTime now);
    [[nodiscard]] SteadyTime grantedSince() const { return m_grantedSince; }

    // ---- what may be done by them
    [[nodiscard]] Standing standing() const { return m_standing; }
    [[nodiscard]] SteadyTime standingSince() const { return m_standingSince; }
    void stand(Standing standing, SteadyTime now);
    /// @param released  what was held before the lease was over is let go of
    /// @return what its standing becomes, which stand() is told
    [[nodiscard]] StandingTurn judge(bool released, SteadyTime now) const;
    /// Whether what is decided here counts: without a majority others may have gone on.
    [[nodiscard]] bool mayWrite() const
    {
        return m_standing == Standing::Valid || !m_at.needsMajority();
    }

private:
    const Situation& m_at;
    /// When the newest beat that was replied to had been sent, less the age of the replying
    /// processor's lease: nobody lives longer than what the system master knows of it.
    Renewal m_lease;
    std::optional<ProcessorId> m_leaseBy; ///< whose answer renewed it
    /// The same of the newest stamp that a majority has, and of the newest one of a majority that
    /// hears of no other system master: as far as the system master knows.
    Renewal m_grant;
    SteadyTime m_sole{};
    SteadyTime m_deafUntil{}; ///< nothing could be heard: it was stopped for long, or cut off
    SteadyTime m_stoppedUntil{};
    bool m_granted = true; ///< of late
    SteadyTime m_grantedSince{};
    Standing m_standing = Standing::Valid;
    SteadyTime m_standingSince{};
};

} // namespace tasuki::hierarchy
