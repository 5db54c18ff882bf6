// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rankmessages.h"
#include "workergroups.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a group scheduler and the master tell each other of a worker group, besides what a worker and its chief do:
/// Assign, Recall, Returned, Withdraw, Withdrawn, Stop, Peek, Peeked, Halt, Warn.
namespace tasuki::farm {

/// A rank, as somebody holds it.
struct HeldRank {
    Rank rank{-1};           ///< -1: none
    Incarnation incarnation; ///< of the holding
    auto operator<=>(const HeldRank&) const = default;
};

// ---- group scheduler to master

/// A subcluster's cluster master is there to lead its ranks. Said again until it is
/// answered with Resync: the master may not know yet who is cluster master.
struct GroupHello {
    bool operator==(const GroupHello&) const = default;
};

/// The group scheduler knows who holds what, and has told what nobody holds any more. From now on it takes
/// work.
struct Resynced {
    bool operator==(const Resynced&) const = default;
};

/// The group scheduler has welcomed the holder of a rank.
struct JoinedRank {
    HeldRank held;
    ProcessorId holder;
    Hello hello; ///< without standing
    bool operator==(const JoinedRank&) const = default;
};

/// What a rank reported, or, of one that is lost, what it would have.
struct RankReport {
    Rank rank;
    Report report;
    bool operator==(const RankReport&) const = default;
};

/// What has happened in its worker group since its last report, in this order.
struct GroupReport {
    std::uint64_t number = 0;
    std::vector<JoinedRank> joined;
    /// What its ranks hold and a Resync by the record did not name: their starts have not been
    /// reported yet.
    std::vector<AttemptKey> claimed = {};
    std::vector<RankReport> reports;
    std::vector<AttemptKey> returned; ///< unstarted, given up without being asked
    bool operator==(const GroupReport&) const = default;
};

// ---- master to group scheduler

/// Begin again with GroupHello, in whatever leadership: the master has another leader than before, and what
/// was said meanwhile may have been dropped.
struct GroupResyncCall {
    bool operator==(const GroupResyncCall&) const = default;
};

/// An attempt that the master believes a worker group to hold.
struct ResyncedAttempt {
    AttemptKey key;
    std::optional<Rank> startedOn; ///< the rank that reported its start; none: nobody has
    bool operator==(const ResyncedAttempt&) const = default;
};

/// Answer to GroupHello. Until Resynced its worker group gets nothing.
struct Resync {
    std::string run;       ///< RunId::hex
    std::string directory; ///< working directory of tasks that name none
    Era era;               ///< of the worker group: greater with each Resync
    /// The master has taken over and knows only what was recorded: the worker group may hold more, and says
    /// what.
    bool byRecord = false;
    std::vector<ResyncedAttempt> attempts;
    bool operator==(const Resync&) const = default;
};

/// Reports of the group scheduler up to this number are in the record.
struct GroupNoted {
    std::uint64_t upTo = 0;
    bool operator==(const GroupNoted&) const = default;
};

} // namespace tasuki::farm
