// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemcommands.h"

#include "config/topologyfile.h"
#include "hierarchy/orderrules.h"
#include "membership/firstview.h"

#include <algorithm>
#include <utility>

namespace tasuki {

namespace {

Phrase withoutRemedy(Error error)
{
    error.remedy.clear();
    error.remedyPhrase = {};
    return error.phrase();
}

PhrasePattern madeOf(ProcessorKind kind)
{
    switch (kind) {
    case ProcessorKind::Active: return Phrase::tr("makes %1 active");
    case ProcessorKind::Io: return Phrase::tr("makes %1 I/O");
    default: return Phrase::tr("makes %1 standby");
    }
}

/// @return what a subcluster's entry cannot have otherwise while the run goes on; empty: nothing is
std::string fixedDifference(const config::SubclusterSpec& now, const config::SubclusterSpec& wanted)
{
    if (now.name != wanted.name)
        return "name";
    if (now.active != wanted.active)
        return "active";
    if (now.standby != wanted.standby)
        return "standby";
    if (now.io != wanted.io)
        return "io";
    if (now.hosts != wanted.hosts)
        return "hosts";
    if (now.units != wanted.units)
        return "units";
    return now.dedicatedMaster != wanted.dedicatedMaster ? "dedicated_master" : "";
}

} // namespace

Result<LiveChanges> liveChanges(const config::Topology& now, const config::Topology& wanted)
{
    if (now.subclusters.size() != wanted.subclusters.size())
        return refusal(Phrase::tr("subclusters cannot be added or removed while the run goes on"),
                       Phrase::tr("end the run and resume it with the new topology"));
    LiveChanges changes{.settings = now.heartbeat != wanted.heartbeat
                            || now.suspectAfter != wanted.suspectAfter
                            || now.lostAfter != wanted.lostAfter || now.policy != wanted.policy
                            || now.rejoin != wanted.rejoin,
                        .rules = {}};
    for (std::size_t i = 0; i < now.subclusters.size(); ++i) {
        const config::SubclusterSpec& was = now.subclusters[i];
        const config::SubclusterSpec& is = wanted.subclusters[i];
        if (const std::string fixed = fixedDifference(was, is); !fixed.empty())
            return refusal(Phrase::tr("subcluster \"%1\": \"%2\" cannot be changed while the run "
                                      "goes on")(was.name, fixed),
                           Phrase::tr("change roles of processors instead, or end the run and "
                                      "resume it with the new topology"));
        if (was.minimum != is.minimum || was.restarts != is.restarts)
            changes.rules.emplace_back(static_cast<std::uint32_t>(i));
    }
    return changes;
}

/// The steps of a change of the topology.
struct SystemCommands::Change {
    config::Topology wanted;
    LiveChanges open;
    std::uint64_t base = 0;
    Reply reply;
};

SystemCommands::SystemCommands(const RunState& state, Ports ports)
    : m_state(state), m_ports(std::move(ports))
{}

void SystemCommands::carryOut(const OperatorCommand& command, const std::string& who, Reply reply)
{
    const auto name = [this](ProcessorId id) {
        return processorPhrase(m_state.system().label(id));
    };
    if (const auto* drain = std::get_if<DrainProcessor>(&command)) {
        give(hierarchy::DrainOrder{drain->processor, drain->drained},
             {.events = {ProcessorDrained{drain->processor, drain->drained, who}},
              .what = (drain->drained ? Phrase::tr("drains %1")
                                      : Phrase::tr("gives work to %1"))(name(drain->processor))},
             std::move(reply));
    } else if (const auto* stop = std::get_if<StopProcessor>(&command)) {
        give(hierarchy::StopOrder{stop->processor},
             {.events = {ProcessorOrdered{stop->processor, ProcessorOrder::Stop, who, {}}},
              .what = Phrase::tr("stops %1")(name(stop->processor))},
             std::move(reply));
    } else if (const auto* promote = std::get_if<PromoteProcessor>(&command)) {
        give(hierarchy::PromoteOrder{promote->processor},
             {.events = {ProcessorOrdered{promote->processor, ProcessorOrder::Promote, who, {}}},
              .what = Phrase::tr("promotes %1")(name(promote->processor))},
             std::move(reply));
    } else if (const auto* role = std::get_if<ChangeRole>(&command)) {
        give(hierarchy::KindOrder{role->processor, role->kind},
             {.events = {ProcessorOrdered{role->processor, orderForKind(role->kind), who, {}}},
              .what = madeOf(role->kind)(name(role->processor))},
             std::move(reply));
    } else if (const auto* change = std::get_if<ChangeTopology>(&command)) {
        changeTopology(*change, std::move(reply));
    }
}

void SystemCommands::give(hierarchy::Order order, farm::SystemOutcome outcome, Reply reply)
{
    m_ports.order(
        std::move(order),
        [outcome = std::move(outcome), reply = std::move(reply)](const Result<void>& result) {
            if (result)
                reply(outcome);
            else
                reply(result.error());
        });
}

void SystemCommands::promise(OpenOrders open, const hierarchy::MembershipView& view)
{
    if (open.settings)
        m_ports.changeSettings(*open.settings, [](const Result<void>&) {});
    for (hierarchy::Order& order : open.orders)
        m_promises.push_back({.order = std::move(order)});
    viewChanged(view);
}

void SystemCommands::viewChanged(const hierarchy::MembershipView& view)
{
    if (m_promises.empty())
        return;
    m_unsettled.clear();
    for (std::uint32_t number = 0; number < view.processorCount(); ++number) {
        const Health health = view.member(ProcessorId(number)).health;
        if (health == Health::Expected || health == Health::Suspect)
            m_unsettled.insert(ProcessorId(number));
    }
    std::erase_if(m_promises, [&view](const Promise& promise) {
        return !promise.asked && hierarchy::shows(promise.order, view);
    });
    for (Promise& promise : m_promises) {
        if (!std::exchange(promise.asked, true))
            m_ports.order(promise.order, [this, order = promise.order](const Result<void>& result) {
                settle(order, result);
            });
    }
}

/// Once the system has taken an order it sees to it itself.
void SystemCommands::settle(const hierarchy::Order& order, const Result<void>& result)
{
    const auto promise = std::ranges::find(m_promises, order, &Promise::order);
    if (promise == m_promises.end())
        return;
    const std::optional<ProcessorId> subject = hierarchy::subjectOf(order);
    if (!result && subject && m_unsettled.contains(*subject)) {
        promise->asked = false;
        return;
    }
    m_promises.erase(promise);
    if (!result)
        m_ports.givenUp(order, withoutRemedy(result.error()));
}

void SystemCommands::changeTopology(const ChangeTopology& command, Reply reply)
{
    const std::optional<SystemLaidOut>& layout = m_state.system().layout();
    if (!layout || layout->topologyRevision != command.base) {
        reply(refusal(Phrase::tr("the topology has been changed meanwhile"),
                      Phrase::tr("look at the new one and change that")));
        return;
    }
    const config::TopologyReading now = config::readTopologyText(layout->topologyText, "topology");
    config::TopologyReading wanted = config::readTopologyText(command.text, "topology");
    if (!wanted.topology || !now.topology) {
        const auto& faults = wanted.topology ? now.diagnostics : wanted.diagnostics;
        reply(faults.empty() ? refusal(Phrase::tr("the topology cannot be read"))
                             : faults.front().toError());
        return;
    }
    Result<LiveChanges> changes = liveChanges(*now.topology, *wanted.topology);
    if (!changes) {
        reply(changes.error());
        return;
    }
    if (wanted.topology->policy == DownPolicy::Restart && !m_ports.kept) {
        reply(refusal(Phrase::tr("no record is kept of this run, by which the policy restart could "
                                 "start it again"),
                      Phrase::tr("choose another policy")));
        return;
    }
    if (!changes->settings && changes->rules.empty()) {
        reply(refusal(Phrase::tr("nothing is different in the topology")));
        return;
    }
    next(std::make_shared<Change>(Change{.wanted = std::move(*wanted.topology),
                                         .open = std::move(*changes),
                                         .base = command.base,
                                         .reply = std::move(reply)}));
}

void SystemCommands::next(const std::shared_ptr<Change>& change)
{
    const auto answer = [this, change](const Result<void>& result) {
        if (result)
            next(change);
        else
            change->reply(result.error());
    };
    const config::Topology& wanted = change->wanted;
    if (std::exchange(change->open.settings, false)) {
        m_ports.changeSettings(settingsOf(wanted), answer);
        return;
    }
    if (!change->open.rules.empty()) {
        const SubclusterId subcluster = change->open.rules.back();
        change->open.rules.pop_back();
        m_ports.order(
            hierarchy::RulesOrder{subcluster, rulesOf(wanted.subclusters[subcluster.value()])},
            answer);
        return;
    }
    SystemLaidOut layout = *m_state.system().layout();
    layout.heartbeat = wanted.heartbeat;
    layout.suspectAfter = wanted.suspectAfter;
    layout.lostAfter = wanted.lostAfter;
    layout.policy = wanted.policy;
    for (std::size_t i = 0; i < layout.subclusters.size(); ++i)
        layout.subclusters[i].minimum = wanted.subclusters[i].minimum;
    layout.topologyText = config::topologyFileText(wanted);
    layout.topologyRevision = change->base + 1;
    change->reply(farm::SystemOutcome{.events = {m_ports.layOut(std::move(layout))},
                                      .what = Phrase::tr("changes the topology")});
}

} // namespace tasuki
