// SPDX-License-Identifier: GPL-3.0-or-later
#include "changes.h"

#include "tree.h"

#include <algorithm>
#include <map>
#include <optional>
#include <utility>

namespace tasuki::hierarchy {

namespace {

using Events = std::vector<EventPayload>;
/// Who has which master role: the role's number and that of the unit or subcluster.
using Masters = std::map<std::pair<MasterRole, std::uint32_t>, ProcessorId>;

Masters mastersIn(const MembershipView& view)
{
    Masters masters;
    if (const auto system = systemMaster(view))
        masters[{MasterRole::System, 0}] = *system;
    for (std::uint32_t number = 0; number < view.clusterCount(); ++number) {
        const ClusterTable& table = view.cluster(SubclusterId(number));
        if (const auto cluster = clusterMaster(table))
            masters[{MasterRole::Cluster, number}] = *cluster;
        for (const MemberRow& row : table.members) {
            if (masters.contains({MasterRole::Unit, row.unit.value()}))
                continue;
            if (const auto unit = unitMaster(table, row.unit))
                masters[{MasterRole::Unit, row.unit.value()}] = *unit;
        }
    }
    return masters;
}

void addHealth(const ClusterTable& before, const ClusterTable& after, Events& events)
{
    for (const MemberRow& row : after.members) {
        const MemberRow& was = *before.member(row.processor);
        // Of a loss that this processor has not seen, as of others.
        const bool unseen = row.life != was.life && !isUnreachable(was.health);
        if (unseen) {
            events.emplace_back(HealthChanged{.processor = row.processor,
                                              .health = Health::Fenced,
                                              .cause = HealthCause::Silent,
                                              .detection = notKnown});
        }
        if (row.health == was.health && row.cause == was.cause && !unseen)
            continue;
        events.emplace_back(
            HealthChanged{.processor = row.processor,
                          .health = row.health,
                          .cause = row.cause,
                          .detection = isUnreachable(row.health) ? row.detection : notKnown,
                          .lostAt = isUnreachable(row.health) ? row.lostAt : std::nullopt});
    }
}

std::chrono::microseconds detectionOf(const ClusterTable& table,
                                      std::optional<ProcessorId> processor)
{
    const MemberRow* const row = processor ? table.member(*processor) : nullptr;
    return row == nullptr || !isUnreachable(row->health) ? notKnown : row->detection;
}

/// @return a seat that a processor has let go of, if it is not told yet that another one has it;
///         none: there is no such seat
std::optional<SeatId> leftBehind(const ClusterTable& before, const ClusterTable& after,
                                 const MemberRow& row)
{
    for (const SeatRow& seat : after.seats) {
        if (seat.previous != row.processor || seat.seat == row.seat
            || after.holder(seat.seat) == nullptr)
            continue;
        if (!seat.taken || before.member(row.processor)->seat == seat.seat)
            return seat.seat;
    }
    return std::nullopt;
}

void addSeats(const ClusterTable& before, const ClusterTable& after, Events& events)
{
    for (const SeatRow& seat : after.seats) {
        const SeatRow& was = *before.seat(seat.seat);
        const MemberRow* const holder = after.holder(seat.seat);
        const MemberRow* const held = before.holder(seat.seat);
        const bool fresh = seat.incarnation != was.incarnation || !was.taken;
        if (holder != nullptr && seat.taken && fresh) {
            if (const auto left = leftBehind(before, after, *holder))
                events.emplace_back(SeatVacated{.seat = *left, .previous = holder->processor});
            events.emplace_back(SeatTaken{.seat = seat.seat,
                                          .incarnation = seat.incarnation,
                                          .holder = holder->processor,
                                          .previous = seat.previous,
                                          .detection = detectionOf(after, seat.previous),
                                          .takeover = seat.previous ? seat.takeover : notKnown});
        } else if (holder == nullptr && !seat.open && seat.previous
                   && (held != nullptr || was.open || seat.givenUp != was.givenUp)) {
            events.emplace_back(SeatVacated{
                .seat = seat.seat, .previous = *seat.previous, .givenUp = seat.givenUp});
        }
    }
}

/// What becomes of the run when a subcluster is down.
Phrase consequence(DownPolicy policy)
{
    switch (policy) {
    case DownPolicy::Continue: return Phrase::tr("policy continue: the others go on");
    case DownPolicy::Restart: return Phrase::tr("policy restart: the run starts again");
    case DownPolicy::Stop: break;
    }
    return Phrase::tr("policy stop: the run ends");
}

void addState(const ClusterTable& before, const ClusterTable& after, DownPolicy policy,
              Events& events)
{
    if (before.state == after.state)
        return;
    const std::size_t held = after.heldRanks();
    events.emplace_back(SubclusterChanged{
        .subcluster = after.subcluster,
        .state = after.state,
        .cause = after.state == ClusterState::Down
            ? (held == 1 ? Phrase::tr("%1 rank is held; %2")
                         : Phrase::tr("%1 ranks are held; %2"))(held, consequence(policy))
            : Phrase()});
}

} // namespace

Events changesBetween(const MembershipView& before, const MembershipView& after)
{
    Events events;
    for (std::uint32_t number = 0; number < after.clusterCount(); ++number) {
        const SubclusterId id(number);
        if (before.clusterPtr(id) == after.clusterPtr(id))
            continue;
        addHealth(before.cluster(id), after.cluster(id), events);
        addSeats(before.cluster(id), after.cluster(id), events);
        addState(before.cluster(id), after.cluster(id), after.system().settings.policy, events);
    }
    const Masters were = mastersIn(before);
    for (const auto& [role, processor] : mastersIn(after)) {
        const auto was = were.find(role);
        if (was == were.end() || was->second != processor) {
            events.emplace_back(
                MasterChanged{.role = role.first, .index = role.second, .processor = processor});
        }
    }
    if (after.system().started && !before.system().started)
        events.emplace_back(SystemStarted{});
    return events;
}

Events mastersOf(const MembershipView& view)
{
    Events events;
    for (const auto& [role, processor] : mastersIn(view)) {
        events.emplace_back(
            MasterChanged{.role = role.first, .index = role.second, .processor = processor});
    }
    return events;
}

} // namespace tasuki::hierarchy
