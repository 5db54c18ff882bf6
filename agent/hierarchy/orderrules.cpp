// SPDX-License-Identifier: GPL-3.0-or-later
#include "orderrules.h"

#include "tree.h"

#include "domain/systemevents.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy {

namespace {

// As topology files have them.
constexpr std::chrono::milliseconds shortestHeartbeat{10};
constexpr std::chrono::milliseconds longestHeartbeat{10'000};
constexpr std::uint32_t mostHeartbeats = 10'000;
constexpr std::uint32_t mostRestarts = 100'000;
constexpr std::chrono::seconds longestWithin{1'000'000};

PhrasePattern unreachable(Health health)
{
    switch (health) {
    case Health::Fenced: return Phrase::tr("processor %1 takes no part any more: fenced");
    case Health::Left: return Phrase::tr("processor %1 takes no part any more: left");
    default: return Phrase::tr("processor %1 takes no part any more: lost");
    }
}

PhrasePattern alreadyOf(ProcessorKind kind)
{
    switch (kind) {
    case ProcessorKind::Io: return Phrase::tr("processor %1 is I/O already");
    case ProcessorKind::Active: return Phrase::tr("processor %1 is active already");
    default: return Phrase::tr("processor %1 is standby already");
    }
}

/// What an order is looked at with.
struct Sight {
    const MembershipView& view;
    bool others; ///< orders about the same processor are open

    [[nodiscard]] const ClusterTable& table(ProcessorId processor) const
    {
        return view.cluster(view.subclusterOf(processor));
    }
    [[nodiscard]] const MemberRow& row(ProcessorId processor) const
    {
        return view.member(processor);
    }
};

/// Every order about a processor needs one that takes part.
Result<void> takesPart(ProcessorId processor, const Sight& sight)
{
    if (!sight.view.knows(processor))
        return refusal(Phrase::tr("there is no processor %1")(processor.value()));
    const Health health = sight.row(processor).health;
    if (isUnreachable(health))
        return refusal(unreachable(health)(processor.value()));
    if (health == Health::Condemned)
        return refusal(Phrase::tr("processor %1 is being ended")(processor.value()));
    return {};
}

Result<void> ready(ProcessorId processor, const Sight& sight)
{
    const Health health = sight.row(processor).health;
    if (health == Health::Expected)
        return refusal(Phrase::tr("processor %1 is not ready yet")(processor.value()));
    if (health == Health::Suspect)
        return refusal(
            Phrase::tr("processor %1 has not been heard of for some time")(processor.value()),
            Phrase::tr("wait until it is, or is lost"));
    return {};
}

Result<void> fits(const DrainOrder& order, const Sight& sight)
{
    const MemberRow& row = sight.row(order.processor);
    if (order.drained && row.kind == ProcessorKind::DedicatedMaster)
        return refusal(Phrase::tr("processor %1 is a dedicated master: it gets no work anyway")(
            order.processor.value()));
    if (row.drained == order.drained && !sight.others)
        return refusal((order.drained
                            ? Phrase::tr("processor %1 is drained already")
                            : Phrase::tr("processor %1 is not drained"))(order.processor.value()));
    return {};
}

Result<void> fits(const PromoteOrder& order, const Sight& sight)
{
    if (Result<void> here = ready(order.processor, sight); !here)
        return here;
    const MemberRow& row = sight.row(order.processor);
    const auto master = systemMaster(sight.view);
    if (order.processor == master)
        return refusal(Phrase::tr("processor %1 is the system master: it comes first anyway")(
            order.processor.value()));
    const auto before = [&](const MemberRow& other) {
        return other.living() && other.processor != master && precedes(other, row);
    };
    if (!sight.others && std::ranges::none_of(sight.table(order.processor).members, before))
        return refusal(Phrase::tr("processor %1 comes first already")(order.processor.value()));
    return {};
}

Result<void> fits(const KindOrder& order, const Sight& sight)
{
    if (Result<void> here = ready(order.processor, sight); !here)
        return here;
    const ClusterTable& table = sight.table(order.processor);
    const MemberRow& row = sight.row(order.processor);
    const bool dedicated = row.kind == ProcessorKind::DedicatedMaster;
    if (dedicated && order.kind == row.kind)
        return refusal(
            Phrase::tr("processor %1 is a dedicated master already")(order.processor.value()));
    if (dedicated || order.kind == ProcessorKind::DedicatedMaster)
        return refusal(Phrase::tr("who is a dedicated master is settled at the start"),
                       Phrase::tr("change the topology file for the next run"));
    const SeatRow* const held = row.seat && !row.vacating ? table.seat(*row.seat) : nullptr;
    const bool rests = order.kind == ProcessorKind::Standby && held == nullptr;
    if (row.kind == order.kind && !sight.others && (rests || order.kind != ProcessorKind::Standby))
        return refusal(alreadyOf(order.kind)(order.processor.value()));
    if (order.kind == ProcessorKind::Standby)
        return {};
    if (row.seat && !servesAs(order.kind, table.seat(*row.seat)->kind))
        return refusal(
            Phrase::tr("processor %1 holds a place of another kind")(order.processor.value()),
            Phrase::tr("make it a standby first"));
    if (!row.seat && row.drained)
        return refusal(Phrase::tr("processor %1 is drained")(order.processor.value()),
                       Phrase::tr("let it take work again first"));
    if (!row.seat && table.vacantSeat(order.kind) == nullptr)
        return refusal(order.kind == ProcessorKind::Io
                           ? Phrase::tr("its subcluster has no vacant I/O place")
                           : Phrase::tr("its subcluster has no vacant rank"),
                       Phrase::tr("make another processor a standby first"));
    return {};
}

Result<void> fits(const StopOrder& order, const Sight& sight)
{
    if (order.processor == systemMaster(sight.view))
        return refusal(Phrase::tr("processor %1 is the system master, without which the run ends")(
                           order.processor.value()),
                       Phrase::tr("end the run instead"));
    return {};
}

Result<void> fits(const RulesOrder& order, const Sight& sight)
{
    if (order.subcluster.value() >= sight.view.clusterCount())
        return refusal(Phrase::tr("there is no subcluster %1")(order.subcluster.value()));
    const ClusterTable& table = sight.view.cluster(order.subcluster);
    const auto ranks = static_cast<std::uint64_t>(
        std::ranges::count(table.seats, SeatKind::Active, &SeatRow::kind));
    if (order.rules.minimum > ranks)
        return refusal(Phrase::tr("a minimum of %1 ranks is more than the %2 that there are")(
                           order.rules.minimum, ranks),
                       Phrase::tr("give %1 to %2")(0, ranks));
    if (order.rules.restarts > mostRestarts || order.rules.within.count() < 1
        || order.rules.within > longestWithin)
        return refusal(Phrase::tr("restarts are counted wrongly"),
                       Phrase::tr("give a count of %1 to %2 within %3 to %4 s")(
                           0, mostRestarts, 1, longestWithin.count()));
    return {};
}

struct Subject {
    std::optional<ProcessorId> operator()(const RulesOrder&) const { return std::nullopt; }
    std::optional<ProcessorId> operator()(const auto& order) const { return order.processor; }
};

struct Shows {
    const ClusterTable& table;

    bool operator()(const DrainOrder& order) const
    {
        return table.member(order.processor)->drained == order.drained;
    }
    bool operator()(const PromoteOrder& order) const
    {
        return table.member(order.processor)->promoted > 0;
    }
    bool operator()(const KindOrder& order) const
    {
        return table.member(order.processor)->kind == order.kind;
    }
    bool operator()(const RulesOrder& order) const { return table.rules == order.rules; }
};

} // namespace

Result<void> orderFits(const Order& order, const MembershipView& view, bool others)
{
    const Sight sight{.view = view, .others = others};
    return std::visit(
        [&](const auto& wanted) -> Result<void> {
            if constexpr (!std::is_same_v<std::decay_t<decltype(wanted)>, RulesOrder>) {
                if (Result<void> there = takesPart(wanted.processor, sight); !there)
                    return there;
            }
            return fits(wanted, sight);
        },
        order);
}

Result<void> settingsFit(const Settings& settings)
{
    if (settings.heartbeat < shortestHeartbeat || settings.heartbeat > longestHeartbeat)
        return refusal(Phrase::tr("a heartbeat of %1 ms")(settings.heartbeat.count()),
                       Phrase::tr("give %1 to %2 milliseconds")(shortestHeartbeat.count(),
                                                                longestHeartbeat.count()));
    if (settings.suspectAfter < 1 || settings.suspectAfter >= settings.lostAfter)
        return refusal(Phrase::tr("suspect after %1 heartbeats, lost after %2")(
                           settings.suspectAfter, settings.lostAfter),
                       Phrase::tr("give at least %1, and less than until it is lost")(1));
    if (settings.lostAfter > mostHeartbeats)
        return refusal(Phrase::tr("lost after %1 heartbeats")(settings.lostAfter),
                       Phrase::tr("give at most %1")(mostHeartbeats));
    return {};
}

bool shows(const TableOrder& order, const ClusterTable& table)
{
    return std::visit(Shows{table}, order);
}

bool shows(const Order& order, const MembershipView& view)
{
    return std::visit(
        [&view](const auto& wanted) {
            if constexpr (std::is_same_v<std::decay_t<decltype(wanted)>, StopOrder>)
                return view.member(wanted.processor).health >= Health::Condemned;
            else
                return shows(TableOrder(wanted), view.cluster(subclusterOf(wanted, view)));
        },
        order);
}

SubclusterId subclusterOf(const TableOrder& order, const MembershipView& view)
{
    if (const auto* const rules = std::get_if<RulesOrder>(&order))
        return rules->subcluster;
    return view.subclusterOf(*subjectOf(order));
}

std::optional<ProcessorId> subjectOf(const TableOrder& order)
{
    return std::visit(Subject{}, order);
}

std::optional<ProcessorId> subjectOf(const Order& order) { return std::visit(Subject{}, order); }

} // namespace tasuki::hierarchy
