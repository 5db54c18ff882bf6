// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipview.h"
#include "messages.h"

#include "domain/event.h"

#include <cstdint>
#include <variant>
#include <vector>

/// What has become of the ranks between two views, for those who give their holders work.
namespace tasuki::hierarchy {

struct RankHeld {
    Rank rank;
    ProcessorId holder;
    Incarnation incarnation;
    bool operator==(const RankHeld&) const = default;
};

/// That holding has ended.
struct RankLost {
    Rank rank;
    Incarnation incarnation;
    LossCause cause = LossCause::Gone;
    bool operator==(const RankLost&) const = default;
};

/// The holder is to get work, or none: it is suspect, drained, about to let go of the rank, or its
/// subcluster is down.
struct RankOpened {
    Rank rank;
    bool open = true;
    bool operator==(const RankOpened&) const = default;
};

using RankChange = std::variant<RankHeld, RankLost, RankOpened>;

/// @return the rank that a seat of kind Active is
constexpr Rank rankOf(SeatId seat) { return Rank(static_cast<std::int32_t>(seat.value())); }

/// @return the ranks of a subcluster, whoever holds them, ascending
std::vector<Rank> ranksIn(const ClusterTable& table);
/// @return the ranks of a view, or of one table, as if nobody had held any before
std::vector<RankChange> ranksOf(const MembershipView& view);
std::vector<RankChange> ranksOf(const ClusterTable& table);
/// @return whether a rank that nobody holds may still get a holder: its cluster master has not looked
///         for one yet, or somebody lives who may become it
bool holdersAwaited(const MembershipView& view);
/// @return losses before what follows from them; of all tables, or between states of one
std::vector<RankChange> rankChanges(const MembershipView& before, const MembershipView& after);
std::vector<RankChange> rankChanges(const ClusterTable& before, const ClusterTable& after);

} // namespace tasuki::hierarchy
