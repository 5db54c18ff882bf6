// SPDX-License-Identifier: GPL-3.0-or-later
#include "rankchanges.h"

#include "tree.h"

#include <algorithm>
#include <optional>

namespace tasuki::hierarchy {

namespace {

/// A rank with its holder, as one table has it.
struct Hold {
    ProcessorId holder;
    Incarnation incarnation;
    bool open = true;
};

std::optional<Hold> holdOf(const ClusterTable& table, const SeatRow& seat)
{
    const MemberRow* const row = table.holder(seat.seat);
    if (row == nullptr)
        return std::nullopt;
    const bool well = row->health == Health::Expected || row->health == Health::Alive;
    return Hold{.holder = row->processor,
                .incarnation = seat.incarnation,
                .open = well && !row->drained && !row->vacating
                    && table.state != ClusterState::Down};
}

LossCause causeOf(const MemberRow& row)
{
    if (row.health == Health::Left)
        return LossCause::Left;
    const bool ended = row.cause == HealthCause::Gone || row.cause == HealthCause::Ordered
        || row.cause == HealthCause::None;
    return ended ? LossCause::Gone : LossCause::Silent;
}

void addHeld(SeatId seat, const Hold& hold, std::vector<RankChange>& changes)
{
    changes.emplace_back(RankHeld{rankOf(seat), hold.holder, hold.incarnation});
    if (!hold.open)
        changes.emplace_back(RankOpened{rankOf(seat), false});
}

/// What has become of the ranks of one table: losses apart.
void addChanges(const ClusterTable& before, const ClusterTable& after,
                std::vector<RankChange>& losses, std::vector<RankChange>& changes)
{
    for (const SeatRow& seat : after.seats) {
        if (seat.kind != SeatKind::Active)
            continue;
        const auto was = holdOf(before, *before.seat(seat.seat));
        const auto is = holdOf(after, seat);
        const bool same = was && is && was->holder == is->holder
            && was->incarnation == is->incarnation;
        if (was && !same) {
            losses.emplace_back(
                RankLost{rankOf(seat.seat), was->incarnation, causeOf(*after.member(was->holder))});
        }
        if (is && !same)
            addHeld(seat.seat, *is, changes);
        else if (same && was->open != is->open)
            changes.emplace_back(RankOpened{rankOf(seat.seat), is->open});
    }
}

bool holderAwaited(const ClusterTable& table, const SeatRow& seat)
{
    return seat.kind == SeatKind::Active && !seat.givenUp && table.holder(seat.seat) == nullptr
        && (seat.open || std::ranges::any_of(table.members, [&seat](const MemberRow& row) {
                // Who is late may turn out to be well.
                return (row.health == Health::Alive || row.health == Health::Suspect)
                    && mayGet(row, seat);
            }));
}

} // namespace

bool holdersAwaited(const MembershipView& view)
{
    for (std::uint32_t number = 0; number < view.clusterCount(); ++number) {
        const ClusterTable& table = view.cluster(SubclusterId(number));
        const auto awaited = [&table](const SeatRow& seat) { return holderAwaited(table, seat); };
        if (clusterMaster(table) && std::ranges::any_of(table.seats, awaited))
            return true;
    }
    return false;
}

std::vector<Rank> ranksIn(const ClusterTable& table)
{
    std::vector<Rank> ranks;
    for (const SeatRow& seat : table.seats) {
        if (seat.kind == SeatKind::Active)
            ranks.push_back(rankOf(seat.seat));
    }
    return ranks;
}

std::vector<RankChange> ranksOf(const ClusterTable& table)
{
    std::vector<RankChange> changes;
    for (const SeatRow& seat : table.seats) {
        const auto hold = holdOf(table, seat);
        if (seat.kind == SeatKind::Active && hold)
            addHeld(seat.seat, *hold, changes);
    }
    return changes;
}

std::vector<RankChange> ranksOf(const MembershipView& view)
{
    std::vector<RankChange> changes;
    for (std::uint32_t number = 0; number < view.clusterCount(); ++number) {
        const std::vector<RankChange> ofTable = ranksOf(view.cluster(SubclusterId(number)));
        changes.insert(changes.end(), ofTable.begin(), ofTable.end());
    }
    return changes;
}

std::vector<RankChange> rankChanges(const ClusterTable& before, const ClusterTable& after)
{
    std::vector<RankChange> losses;
    std::vector<RankChange> changes;
    addChanges(before, after, losses, changes);
    losses.insert(losses.end(), changes.begin(), changes.end());
    return losses;
}

std::vector<RankChange> rankChanges(const MembershipView& before, const MembershipView& after)
{
    std::vector<RankChange> losses;
    std::vector<RankChange> changes;
    for (std::uint32_t number = 0; number < after.clusterCount(); ++number) {
        const SubclusterId id(number);
        if (before.clusterPtr(id) != after.clusterPtr(id))
            addChanges(before.cluster(id), after.cluster(id), losses, changes);
    }
    losses.insert(losses.end(), changes.begin(), changes.end());
    return losses;
}

} // namespace tasuki::hierarchy
