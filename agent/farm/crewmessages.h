// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "crews.h"
#include "rankmessages.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

/// What a foreman and the master tell each other of a crew, besides what a worker and its chief do:
/// Assign, Recall, Returned, Withdraw, Withdrawn, Stop, Peek, Peeked, Halt, Warn.
namespace tasuki::farm {

/// A rank, as somebody holds it.
struct HeldRank {
    Rank rank{-1};           ///< -1: none
    Incarnation incarnation; ///< of the holding
    auto operator<=>(const HeldRank&) const = default;
};

// ---- foreman to master

/// A subcluster's cluster master is there to lead its ranks. Said again until it is
/// answered with Muster: the master may not know yet who is cluster master.
struct CrewHello {
    bool operator==(const CrewHello&) const = default;
};

/// The foreman knows who holds what, and has told what nobody holds any more. From now on it takes
/// work.
struct Mustered {
    bool operator==(const Mustered&) const = default;
};

/// The foreman has welcomed the holder of a rank.
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

/// What has happened in its crew since its last report, in this order.
struct CrewReport {
    std::uint64_t number = 0;
    std::vector<JoinedRank> joined;
    /// What its ranks hold and a Muster by the record did not name: their starts have not been
    /// reported yet.
    std::vector<AttemptKey> claimed = {};
    std::vector<RankReport> reports;
    std::vector<AttemptKey> returned; ///< unstarted, given up without being asked
    bool operator==(const CrewReport&) const = default;
};

// ---- master to foreman

/// Begin again with CrewHello, in whatever term: the master has another leader than before, and what
/// was said meanwhile may have been dropped.
struct CrewRollCall {
    bool operator==(const CrewRollCall&) const = default;
};

/// An attempt that the master believes a crew to hold.
struct MusteredAttempt {
    AttemptKey key;
    std::optional<Rank> startedOn; ///< the rank that reported its start; none: nobody has
    bool operator==(const MusteredAttempt&) const = default;
};

/// Answer to CrewHello. Until Mustered its crew gets nothing.
struct Muster {
    std::string run;       ///< RunId::hex
    std::string directory; ///< working directory of tasks that name none
    std::uint64_t era = 0; ///< of the crew: greater with each Muster
    /// The master has taken over and knows only what was recorded: the crew may hold more, and says
    /// what.
    bool byRecord = false;
    std::vector<MusteredAttempt> attempts;
    bool operator==(const Muster&) const = default;
};

/// Reports of the foreman up to this number are in the record.
struct CrewNoted {
    std::uint64_t upTo = 0;
    bool operator==(const CrewNoted&) const = default;
};

} // namespace tasuki::farm
