// SPDX-License-Identifier: GPL-3.0-or-later
// What operators want in a simulated system, and whether it comes true.
#include "simulatednode.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy::testing {

void SystemSimulation::stopActing(ProcessorId processor, const Holding& holding)
{
    Node& stopping = node(processor);
    if (!stopping.alive)
        return;
    if (stopping.paused) {
        stopping.whenAwake(Arrival::Other,
                           [this, processor, holding] { stopActing(processor, holding); });
        return;
    }
    stopping.membership.hasStopped(holding);
    check(processor);
}

Result<void> SystemSimulation::order(const Order& order)
{
    Node& master = node(systemMaster());
    const auto* const stop = std::get_if<StopOrder>(&order);
    const bool excused = stop != nullptr && m_faulty.insert(stop->processor).second;
    if (const Result<void> taken = master.membership.order(order); !taken) {
        if (excused)
            m_faulty.erase(stop->processor);
        return taken;
    }
    const MembershipView& view = master.membership.view();
    if (const auto* const drain = std::get_if<DrainOrder>(&order)) {
        m_wanted.drained[drain->processor] = drain->drained;
        m_drained.erase(drain->processor);
    } else if (const auto* const promote = std::get_if<PromoteOrder>(&order)) {
        m_wanted.promoted[view.subclusterOf(promote->processor)] = promote->processor;
    } else if (const auto* const kind = std::get_if<KindOrder>(&order)) {
        m_wanted.kinds[kind->processor] = kind->kind;
    } else if (const auto* const rules = std::get_if<RulesOrder>(&order)) {
        m_wanted.rules[rules->subcluster] = rules->rules;
    } else if (stop != nullptr) {
        m_wanted.stopped.insert(stop->processor);
    }
    check(master.self());
    return {};
}

Result<void> SystemSimulation::changeSettings(const Settings& settings)
{
    const Result<void> taken = node(systemMaster()).membership.changeSettings(settings);
    if (taken)
        m_wanted.settings = settings;
    return taken;
}

/// A change of kind may come too late for the last vacant place. Otherwise only who is lost is given
/// up.
void SystemSimulation::givenUp(const TableOrder& order, const std::string& reason)
{
    if (const auto* const kind = std::get_if<KindOrder>(&order)) {
        m_wanted.kinds.erase(kind->processor);
        return;
    }
    const auto* const drain = std::get_if<DrainOrder>(&order);
    const auto* const promote = std::get_if<PromoteOrder>(&order);
    const auto subject = drain != nullptr ? std::optional(drain->processor)
        : promote != nullptr              ? std::optional(promote->processor)
                                          : std::nullopt;
    if (subject && !m_faulty.contains(*subject))
        m_violations.push_back("an order for " + std::to_string(subject->value())
                               + " was given up: " + reason);
    if (promote != nullptr)
        std::erase_if(m_wanted.promoted,
                      [&](const auto& item) { return item.second == promote->processor; });
}

std::string SystemSimulation::missingIn(const MembershipView& view) const
{
    const auto about = [](ProcessorId processor, const char* what) {
        return std::to_string(processor.value()) + " is not " + what;
    };
    for (const auto& [processor, drained] : m_wanted.drained) {
        const MemberRow& row = view.member(processor);
        if (row.living() && row.drained != drained)
            return about(processor, drained ? "drained" : "at work again");
    }
    for (const auto& [processor, kind] : m_wanted.kinds) {
        const MemberRow& row = view.member(processor);
        if (row.living() && (row.kind != kind || row.vacating))
            return about(processor, "what it is to be");
    }
    for (const auto& [subcluster, processor] : m_wanted.promoted) {
        for (const MemberRow& row : view.cluster(subcluster).members) {
            if (view.member(processor).living() && row.living() && row.processor != processor
                && row.processor != systemMaster() && precedes(row, view.member(processor)))
                return about(processor, "first");
        }
    }
    for (const auto& [subcluster, rules] : m_wanted.rules) {
        if (clusterMaster(view.cluster(subcluster)) && view.cluster(subcluster).rules != rules)
            return "rules of " + std::to_string(subcluster.value());
    }
    for (const ProcessorId processor : m_wanted.stopped) {
        if (view.member(processor).living() || node(processor).alive)
            return about(processor, "stopped");
    }
    if (m_wanted.settings && *m_wanted.settings != view.system().settings)
        return "settings";
    return {};
}

std::string SystemSimulation::ordersMissing() const
{
    for (const auto& one : m_nodes) {
        if (!one->alive || one->paused || one->membership.fenced())
            continue;
        if (std::string missing = missingIn(one->membership.view()); !missing.empty())
            return std::to_string(one->self().value()) + " says: " + missing;
    }
    return {};
}

/// Who is drained by the tables of the system master, when nothing is open, stays so.
void SystemSimulation::noteDrained()
{
    const MembershipAgent& master = node(systemMaster()).membership;
    if (master.ordersOpen())
        return;
    for (const auto& [processor, drained] : m_wanted.drained) {
        if (drained && master.view().member(processor).drained)
            m_drained.insert(processor);
    }
}

/// Who is drained gets no seat, whoever writes the table.
void SystemSimulation::checkSeating(Node& writer)
{
    const MembershipView& view = writer.membership.view();
    if (std::exchange(writer.seenDigest, view.digest()) == view.digest())
        return;
    for (std::uint32_t number = 0; number < view.clusterCount(); ++number) {
        const ClusterTablePtr& table = view.clusterPtr(SubclusterId(number));
        ClusterTablePtr& seen = writer.seen[SubclusterId(number)];
        const ClusterTablePtr before = std::exchange(seen, table);
        if (before == nullptr || before == table || table->writer != writer.self())
            continue;
        for (const ProcessorId processor : m_drained) {
            const MemberRow* const row = table->member(processor);
            if (row != nullptr && row->seat && row->seat != before->member(processor)->seat)
                m_violations.push_back(std::to_string(processor.value())
                                       + " got a seat though it is drained");
        }
    }
}

} // namespace tasuki::hierarchy::testing
