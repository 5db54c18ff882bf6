// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemrecord.h"

#include "grouppost.h"
#include "openorders.h"
#include "overlaptext.h"

#include "domain/systemevents.h"
#include "hierarchy/changes.h"
#include "hierarchy/rankchanges.h"
#include "hierarchy/tree.h"

#include <utility>
#include <variant>

namespace tasuki {

namespace {

using hierarchy::ClusterTable;
using hierarchy::MemberRow;
using hierarchy::MembershipView;

/// Longer thresholds are recorded so often at most.
constexpr std::chrono::seconds lengthenedPause{10};

struct TellMaster {
    farm::Master& master;

    void operator()(const hierarchy::RankHeld& held) const
    {
        master.rankHeld(held.rank, held.holder, held.incarnation);
        master.setOpen(held.rank, true);
    }
    void operator()(const hierarchy::RankLost& lost) const
    {
        master.rankLost(lost.rank, lost.incarnation, lost.cause);
    }
    void operator()(const hierarchy::RankOpened& opened) const
    {
        master.setOpen(opened.rank, opened.open);
    }
};

} // namespace

SystemRecord::SystemRecord(std::optional<SubclusterId> home, MembershipView first,
                           SystemLaidOut layout, farm::Master& master,
                           std::function<void(const std::string&)> say, Restarter restarter)
    : m_view(std::move(first)),
      m_home(home),
      m_layout(std::move(layout)),
      m_master(master),
      m_say(std::move(say)),
      m_restarter(std::move(restarter))
{
    for (std::uint32_t number = 0; number < m_view.clusterCount(); ++number) {
        const hierarchy::ClusterTable& table = m_view.cluster(SubclusterId(number));
        if (const auto group = groupOf(table); group && table.subcluster != m_home)
            m_master.groupFormed(*group, hierarchy::ranksIn(table));
    }
    for (const hierarchy::RankChange& change : hierarchy::ranksOf(m_view))
        std::visit(TellMaster{m_master}, change);
    m_master.awaitHolders(hierarchy::holdersAwaited(m_view));
    tellLeaders();
    for (std::uint32_t number = 0; number < m_view.processorCount(); ++number)
        tellLoss(ProcessorId(number), m_view.member(ProcessorId(number)).health);
    m_begun = m_view.system().started;
    if (m_begun)
        m_master.begin();
}

/// Who leads the worker groups that have group schedulers.
void SystemRecord::tellLeaders()
{
    for (std::uint32_t number = 0; number < m_view.clusterCount(); ++number) {
        const hierarchy::ClusterTable& table = m_view.cluster(SubclusterId(number));
        if (const auto group = groupOf(table); group && table.subcluster != m_home)
            m_master.groupLed(*group, hierarchy::clusterMaster(table));
    }
}

std::vector<EventPayload> SystemRecord::opening() const
{
    std::vector<EventPayload> events = hierarchy::mastersOf(m_view);
    events.insert(events.begin(), m_layout);
    return events;
}

void SystemRecord::changed(const MembershipView& view)
{
    m_master.record(hierarchy::changesBetween(m_view, view));
    tellLosses(view);
    for (const hierarchy::RankChange& change : hierarchy::rankChanges(m_view, view))
        std::visit(TellMaster{m_master}, change);
    m_master.awaitHolders(hierarchy::holdersAwaited(view));
    tellClusters(view);
    tellRoles(std::exchange(m_view, view));
    tellLeaders();
    tellRestarter();
}

void SystemRecord::takenOver(const std::optional<RunEnding>& ending)
{
    m_ending = ending.has_value();
    if (ending)
        m_down = ending->restartFor;
    tellClusters(m_view);
    tellRestarter();
}

void SystemRecord::published(const Event& event)
{
    if (!std::holds_alternative<SystemStarted>(event.payload))
        return;
    // Not before it is recorded: a successor goes on with a run that has begun by its record.
    m_begun = true;
    m_master.begin();
    tellRestarter();
}

/// The terms are those of the subcluster that is down, before that of the one that mpirun is with.
void SystemRecord::tellRestarter()
{
    RestartTerms terms;
    if (m_begun && (m_down || m_view.system().settings.policy == DownPolicy::Restart)) {
        const SubclusterId subcluster = m_down.value_or(m_view.subclusterOf(ProcessorId(0)));
        const hierarchy::ClusterRules& rules = m_view.cluster(subcluster).rules;
        terms = {.most = rules.restarts, .within = rules.within, .runFile = m_restarter.runFile};
        if (m_down)
            terms.why = "subcluster " + nameOf(*m_down) + " is down";
    }
    if (terms != m_terms)
        m_restarter.tell(m_terms = terms);
}

std::string SystemRecord::nameOf(SubclusterId subcluster) const
{
    return m_layout.subclusters.at(subcluster.value()).name;
}

/// A processor that has become something else changes the layout.
void SystemRecord::tellRoles(const MembershipView& before)
{
    for (std::uint32_t number = 0; number < before.processorCount(); ++number) {
        const ProcessorId processor(number);
        if (before.member(processor).kind != m_view.member(processor).kind) {
            m_master.record({layOut(m_layout)});
            return;
        }
    }
}

SystemLaidOut SystemRecord::layOut(SystemLaidOut layout)
{
    for (ProcessorInfo& processor : layout.processors) {
        const MemberRow& row = m_view.member(processor.id);
        const ClusterTable& table = m_view.cluster(processor.subcluster);
        processor.kind = row.kind;
        processor.seat = row.seat && table.seat(*row.seat)->taken ? row.seat : std::nullopt;
    }
    m_layout = layout;
    return layout;
}

void SystemRecord::givenUp(const hierarchy::Order& order, const Phrase& reason)
{
    if (auto recorded = recordOf(order)) {
        recorded->obstacle = reason;
        m_master.record({std::move(*recorded)});
    } else {
        m_master.record({Notice{
            .severity = Severity::Warning,
            .text = Phrase::tr("an operator's order cannot be carried out any more: %1")(reason)}});
    }
}

void SystemRecord::tellLosses(const MembershipView& view)
{
    for (std::uint32_t number = 0; number < view.processorCount(); ++number) {
        const ProcessorId processor(number);
        const MemberRow& row = view.member(processor);
        const MemberRow& was = m_view.member(processor);
        const bool another = row.life != was.life;
        if (!isUnreachable(was.health))
            tellLoss(processor, another ? Health::Fenced : row.health);
        if (another && !isUnreachable(row.health))
            tellReturn(processor);
    }
}

void SystemRecord::tellLoss(ProcessorId processor, Health health)
{
    if (health == Health::Left)
        m_master.processorLeft(processor);
    else if (isUnreachable(health))
        m_master.processorLost(processor);
}

void SystemRecord::tellReturn(ProcessorId processor)
{
    m_master.processorBack(processor);
    m_master.record(
        {Notice{.severity = Severity::Information,
                .text = Phrase::tr("processor %1 came back, as a standby")(processor.value())}});
}

void SystemRecord::tellClusters(const MembershipView& view)
{
    const DownPolicy policy = view.system().settings.policy;
    // Processors that leave at the end of a run bring their subclusters down.
    if (m_ending || policy == DownPolicy::Continue
        || m_master.phase() > farm::Master::Phase::Running)
        return;
    for (std::uint32_t number = 0; number < view.clusterCount() && !m_ending; ++number) {
        const ClusterTable& table = view.cluster(SubclusterId(number));
        if (table.state == ClusterState::Down)
            endFor(table, policy);
    }
}

/// @param policy  stop: what runs may end; restart: what runs is killed, and runs again
void SystemRecord::endFor(const ClusterTable& table, DownPolicy policy)
{
    m_ending = true;
    const bool again = policy == DownPolicy::Restart && m_begun;
    m_master.record(
        {Notice{.severity = Severity::Warning,
                .text = (again ? Phrase::tr("subcluster \"%1\" is down; everything stops, to start "
                                            "again")
                             : m_restarter.kept
                             ? Phrase::tr("subcluster \"%1\" is down; no new tasks start, the "
                                          "run ends and can be resumed")
                             : Phrase::tr("subcluster \"%1\" is down; no new tasks start, the "
                                          "run ends"))(nameOf(table.subcluster))}});
    const auto restartFor = again ? std::optional(table.subcluster) : std::nullopt;
    m_master.interrupt(restartFor);
    if (!again)
        return;
    m_down = restartFor;
    // One that takes over is interrupted later.
    if (const auto phase = m_master.phase();
        phase == farm::Master::Phase::Opening || phase == farm::Master::Phase::Draining)
        m_master.interrupt(restartFor);
}

void SystemRecord::missing(const std::vector<ProcessorId>& processors)
{
    std::string names;
    for (const ProcessorId processor : processors)
        names += (names.empty() ? "" : ", ") + std::to_string(processor.value());
    m_say("the system cannot start, as these processors did not get ready in time: " + names);
    m_master.interrupt();
}

void SystemRecord::overlapped(const hierarchy::Overlap& overlap,
                              std::optional<std::chrono::nanoseconds> lostFor)
{
    m_master.record({Notice{.severity = Severity::Warning,
                            .text = overlapText(overlap, lostFor, m_layout, m_view)}});
}

void SystemRecord::lengthened(std::chrono::nanoseconds by, SteadyTime now)
{
    if (m_lengthenedSaid != SteadyTime{} && now - m_lengthenedSaid < lengthenedPause)
        return;
    m_lengthenedSaid = now;
    const auto ms = std::chrono::ceil<std::chrono::milliseconds>(by).count();
    m_master.record({Notice{.severity = Severity::Information,
                            .text = Phrase::tr("processor %1 was late itself: silent processors "
                                               "count as lost %2 ms later")(0, ms)}});
}

} // namespace tasuki
