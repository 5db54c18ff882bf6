// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decisionlog.h"
#include "electorate.h"
#include "lease.h"
#include "situation.h"
#include "supportbook.h"

#include "domain/clock.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

namespace tasuki::hierarchy {

/// Whom a processor follows, who follows it if it leads, and what majorities that makes. Rules and reasons:
/// docs/membership.md.
class Following {
public:
    /// What is known of a system master, or of who is to be it.
    struct Seen {
        ProcessorId leader;
        SteadyTime granted{};  ///< a majority followed it then, so that it may act by that
        SteadyTime followed{}; ///< the same, whether or not it may
    };

    /// @param at, log  outlive this
    Following(const Situation& at, DecisionLog& log) : m_at(at), m_log(log), m_support(at.self) {}

    // ---- whom it follows
    [[nodiscard]] std::optional<ProcessorId> leader() const { return m_support.leader(); }
    [[nodiscard]] const SupportBook& support() const { return m_support; }
    /// A stamp has come with a reply: its maker lives, and is followed. It comes from above; or,
    /// when nothing does any more, from the processor that looks after those below a late one.
    /// @param majorityAge  how old the newest word is at most, by now, that a majority follows who made it
    /// @return whether this processor follows its maker now
    bool takeStamp(ProcessorId from, const BeatReply& reply, std::chrono::nanoseconds majorityAge,
                   SteadyTime now);
    /// The same for a processor that is no member: it may be needed for a majority before anybody
    /// can let it in.
    void takeStampOutside(const BeatReply& reply, SteadyTime now);
    /// Somebody stamps no more.
    void hasStoodDown(ProcessorId one);
    /// Takes what a reply says of the grant of the leader that this processor follows.
    /// @param asked  when it was asked for
    void takeGrant(const BeatReply& reply, SteadyTime asked, Lease& lease);
    /// Says that this processor has the newest stamp of who it follows, unless it is leaving.
    void acknowledge(SteadyTime now);
    /// @return what is known of who is followed; long ago: it had no majority
    [[nodiscard]] Seen seen() const;
    /// Whether who is followed is heard, and has had a majority of late.
    [[nodiscard]] bool isRecent(SteadyTime now) const;

    // ---- who follows whom
    void note(ProcessorId who, std::uint64_t when, bool sole) { m_support.note(who, when, sole); }
    void take(const ClusterTable& table, const Support& support) { m_support.take(table, support); }
    [[nodiscard]] std::optional<Support> report(const ClusterTable& table,
                                                std::chrono::nanoseconds step)
    {
        return m_support.report(table, step);
    }

    // ---- who leads, or is to
    /// It follows itself.
    void stampHere(SteadyTime now);
    /// Of whom a majority counts.
    /// @param adoptedAt  since when the table of a subcluster is known
    void countElectorate(const std::function<SteadyTime(SubclusterId)>& adoptedAt, SteadyTime now);
    void forgetElectorate() { m_electorate.clear(); }
    [[nodiscard]] bool electorateKnown() const { return !m_electorate.empty(); }
    [[nodiscard]] bool hasMajority() const { return m_electorate.majority(m_support).has_value(); }
    [[nodiscard]] const Electorate& electorate() const { return m_electorate; }
    /// What is known of those who follow it. One whose grant was over has it again only when a
    /// majority follows it alone: another one may have acted meanwhile.
    void countFollowers(Lease& lease, SteadyTime now);
    /// A processor that takes the place of a leader goes on under the grant of that leader, and
    /// under no other one's, though it may have followed a candidate for a moment since.
    void inheritGrant(Lease& lease, const Unreachable& unreachable) const;
    /// Whether a majority follows this processor itself, and alone: the trust that a candidate has
    /// from its predecessor says nothing of the processors that it takes for unreachable.
    [[nodiscard]] bool trustedItself(const Lease& lease, SteadyTime now) const;
    /// Renounces stamps on which nothing depends, so that they keep nobody from following another
    /// leader.
    void renounceIfUnused(SteadyTime now);
    /// Voters are those who live. They change in two steps, so that whoever counts the former ones
    /// knows of the change before it holds.
    /// @return the system table with the next step; none: there is none, or not yet
    [[nodiscard]] std::optional<SystemTable> nextVoters(const Lease& lease, SteadyTime now);
    /// A system table was written here.
    void wrote(const SystemTable& table, SteadyTime now);
    /// One has come: others have counted by another table until now.
    void adopted();

    // ---- generations of writers
    void hear(Generation generation, const std::vector<Stamp>& renounced, SteadyTime now);
    /// @return of all tables that were heard of, the latest generation of their writers
    [[nodiscard]] Generation latestGeneration() const;

    /// A new life begins. What it has acknowledged it remembers: others may count on that still.
    void beginAnew();

private:
    void noteSeen(const Seen& seen);
    [[nodiscard]] bool mayBeBuriedBy(ProcessorId candidate) const;

    const Situation& m_at;
    DecisionLog& m_log;
    SupportBook m_support;
    Electorate m_electorate;
    /// The leader whose grant is known, and how new it is, whatever this processor's own grant
    /// depends on.
    std::optional<Seen> m_seen;
    std::optional<Seen> m_seenBefore;  ///< the same of whom it followed before that
    std::optional<ProcessorId> m_from; ///< by whom the newest stamp came
    SteadyTime m_mastersSince{}; ///< it follows a system master since then; long ago: a candidate
    std::optional<SteadyTime> m_ownGrant; ///< when a grant hung on own stamps last
    std::uint64_t m_votersSince = 0;      ///< stamp after which the voters to be stood in the table
    Generation m_generation;              ///< the latest that was heard of
};

} // namespace tasuki::hierarchy
