// SPDX-License-Identifier: GPL-3.0-or-later
#include "orderrules.h"

#include "tree.h"

#include "domain/systemevents.h"

#include <algorithm>
#include <string>
#include <utility>

namespace tasuki::hierarchy {

namespace {

// As topology files have them.
constexpr std::chrono::milliseconds shortestHeartbeat{10};
constexpr std::chrono::milliseconds longestHeartbeat{10'000};
constexpr std::uint32_t mostHeartbeats = 10'000;
constexpr std::uint32_t mostRestarts = 100'000;
constexpr std::chrono::seconds longestWithin{1'000'000};

Error refusal(std::string message, std::string remedy = {})
{
    return {.kind = ErrorKind::Input, .message = std::move(message), .remedy = std::move(remedy)};
}

std::string named(ProcessorId processor)
{
    return "processor " + std::to_string(processor.value());
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
        return refusal("there is no " + named(processor));
    const Health health = sight.row(processor).health;
    if (isUnreachable(health))
        return refusal(named(processor)
                       + " takes no part any more: " + std::string(healthName(health)));
    if (health == Health::Condemned)
        return refusal(named(processor) + " is being ended");
    return {};
}

Result<void> ready(ProcessorId processor, const Sight& sight)
{
    const Health health = sight.row(processor).health;
    if (health == Health::Expected)
        return refusal(named(processor) + " is not ready yet");
    if (health == Health::Suspect)
        return refusal(named(processor) + " has not been heard of for some time",
                       "wait until it is, or is lost");
    return {};
}

Result<void> fits(const DrainOrder& order, const Sight& sight)
{
    const MemberRow& row = sight.row(order.processor);
    if (order.drained && row.kind == ProcessorKind::DedicatedMaster)
        return refusal(named(order.processor) + " is a dedicated master: it gets no work anyway");
    if (row.drained == order.drained && !sight.others)
        return refusal(named(order.processor)
                       + (order.drained ? " is drained already" : " is not drained"));
    return {};
}

Result<void> fits(const PromoteOrder& order, const Sight& sight)
{
    if (Result<void> here = ready(order.processor, sight); !here)
        return here;
    const MemberRow& row = sight.row(order.processor);
    const auto master = systemMaster(sight.view);
    if (order.processor == master)
        return refusal(named(order.processor) + " is the system master: it comes first anyway");
    const auto before = [&](const MemberRow& other) {
        return other.living() && other.processor != master && precedes(other, row);
    };
    if (!sight.others && std::ranges::none_of(sight.table(order.processor).members, before))
        return refusal(named(order.processor) + " comes first already");
    return {};
}

Result<void> fits(const KindOrder& order, const Sight& sight)
{
    if (Result<void> here = ready(order.processor, sight); !here)
        return here;
    const ClusterTable& table = sight.table(order.processor);
    const MemberRow& row = sight.row(order.processor);
    const std::string kind(processorKindName(order.kind));
    const std::string name = named(order.processor);
    if (row.kind == ProcessorKind::DedicatedMaster || order.kind == ProcessorKind::DedicatedMaster)
        return refusal(row.kind == order.kind ? name + " is a dedicated master already"
                                              : "who is a dedicated master is settled at the start",
                       row.kind == order.kind ? "" : "change the topology file for the next run");
    const SeatRow* const held = row.seat && !row.vacating ? table.seat(*row.seat) : nullptr;
    const bool rests = order.kind == ProcessorKind::Standby && held == nullptr;
    if (row.kind == order.kind && !sight.others && (rests || order.kind != ProcessorKind::Standby))
        return refusal(name + " is " + kind + " already");
    if (order.kind == ProcessorKind::Standby)
        return {};
    if (row.seat && !servesAs(order.kind, table.seat(*row.seat)->kind))
        return refusal(name + " holds a place of another kind", "make it a standby first");
    if (!row.seat && row.drained)
        return refusal(name + " is drained", "let it take work again first");
    if (!row.seat && table.vacantSeat(order.kind) == nullptr)
        return refusal("its subcluster has no vacant "
                           + std::string(order.kind == ProcessorKind::Io ? "I/O place" : "rank"),
                       "make another processor a standby first");
    return {};
}

Result<void> fits(const StopOrder& order, const Sight& sight)
{
    if (order.processor == systemMaster(sight.view))
        return refusal(named(order.processor) + " is the system master, without which the run ends",
                       "end the run instead");
    return {};
}

Result<void> fits(const RulesOrder& order, const Sight& sight)
{
    if (order.subcluster.value() >= sight.view.clusterCount())
        return refusal("there is no subcluster " + std::to_string(order.subcluster.value()));
    const ClusterTable& table = sight.view.cluster(order.subcluster);
    const auto ranks = static_cast<std::uint64_t>(
        std::ranges::count(table.seats, SeatKind::Active, &SeatRow::kind));
    if (order.rules.minimum > ranks)
        return refusal("a minimum of " + std::to_string(order.rules.minimum)
                           + " ranks is more than the " + std::to_string(ranks) + " that there are",
                       "give 0 to " + std::to_string(ranks));
    if (order.rules.restarts > mostRestarts || order.rules.within.count() < 1
        || order.rules.within > longestWithin)
        return refusal("restarts are counted wrongly",
                       "give a count of 0 to 100000 within 1 to 1000000 s");
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
        return refusal("a heartbeat of " + std::to_string(settings.heartbeat.count()) + " ms",
                       "give 10 to 10000 milliseconds");
    if (settings.suspectAfter < 1 || settings.suspectAfter >= settings.lostAfter)
        return refusal("suspect after " + std::to_string(settings.suspectAfter)
                           + " heartbeats, lost after " + std::to_string(settings.lostAfter),
                       "give at least 1, and less than until it is lost");
    if (settings.lostAfter > mostHeartbeats)
        return refusal("lost after " + std::to_string(settings.lostAfter) + " heartbeats",
                       "give at most 10000");
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
