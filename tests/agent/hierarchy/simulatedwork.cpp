// SPDX-License-Identifier: GPL-3.0-or-later
// What the processors of a simulated system work at.
#include "simulatednode.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy::testing {

namespace {

using std::chrono::milliseconds;

constexpr milliseconds taskTime{120};
constexpr milliseconds handOutEvery{50};
/// Until it is tried again to send what did not get through or was not taken.
constexpr milliseconds againAfter{20};

} // namespace

/// What passes between processors at work is repeated until it has arrived.
/// @param lost  is called when one of them ends before
void SystemSimulation::carry(ProcessorId from, ProcessorId to, std::function<void()> what,
                             std::function<void()> lost)
{
    const bool cut = m_cuts.contains({from, to});
    at(now() + (cut ? againAfter : delay()),
       [this, cut, from, to, what = std::move(what), lost = std::move(lost)] {
           if (!node(to).alive || (cut && !node(from).alive) || node(from).unheard)
               lost();
           else if (cut)
               carry(from, to, what, lost);
           else
               node(to).whenAwake(Arrival::Message, what, lost);
       });
}

bool SystemSimulation::writes(const Node& one, SubclusterId subcluster) const
{
    const MembershipAgent& membership = one.membership;
    return one.works() && membership.position().clusterMaster && membership.view().system().started
        && clusterMaster(membership.view().cluster(subcluster)) == one.self();
}

/// The cluster master gives each holder of a rank a task, and takes back what lost ones had.
void SystemSimulation::handOut(SubclusterId subcluster)
{
    at(now() + handOutEvery, [this, subcluster] { handOut(subcluster); });
    const auto master = std::ranges::find_if(
        m_nodes, [&](const auto& one) { return writes(*one, subcluster); });
    Ledger& ledger = m_ledgers[subcluster.value()];
    if (master == m_nodes.end() || (ledger.waiting.empty() && ledger.assigned.empty()))
        return;
    const ClusterTable& table = (*master)->membership.view().cluster(subcluster);
    std::set<SeatId> busy;
    std::erase_if(ledger.assigned, [&](const auto& item) {
        const auto& [task, holding] = item;
        const SeatRow* const seat = table.seat(holding.seat);
        const bool valid = table.holder(holding.seat) != nullptr
            && seat->incarnation == holding.incarnation;
        if (valid)
            busy.insert(holding.seat);
        else
            ledger.waiting.insert(task);
        return !valid;
    });
    for (const MemberRow& row : table.members) {
        if (!row.seat || row.health != Health::Alive || row.drained || row.vacating
            || busy.contains(*row.seat) || !table.seat(*row.seat)->taken
            || table.seat(*row.seat)->kind != SeatKind::Active || ledger.waiting.empty())
            continue;
        const std::uint32_t task = *ledger.waiting.begin();
        ledger.waiting.erase(ledger.waiting.begin());
        const Work work{task, *row.seat, table.seat(*row.seat)->incarnation, subcluster,
                        row.processor};
        ledger.assigned[task] = work.holding();
        carry((*master)->self(), row.processor, [this, work] { begin(work); },
              [this, work] { takeBack(work); });
    }
}

/// Nobody has begun with a task. Who is its cluster master then hands it out again.
void SystemSimulation::takeBack(const Work& work)
{
    Ledger& ledger = m_ledgers[work.subcluster.value()];
    const auto assigned = ledger.assigned.find(work.task);
    if (assigned == ledger.assigned.end() || assigned->second != work.holding())
        return;
    ledger.assigned.erase(assigned);
    ledger.waiting.insert(work.task);
}

/// A worker gets something to do. If it does not know of its seat yet, that waits.
void SystemSimulation::begin(const Work& work)
{
    Node& worker = node(work.worker);
    if (!worker.alive)
        return;
    if (worker.paused) {
        worker.whenAwake(Arrival::Other, [this, work] { begin(work); });
        return;
    }
    if (!worker.works()) {
        if (worker.membership.standing() == Standing::Suspended && !worker.membership.fenced())
            worker.held.emplace_back([this, work] { begin(work); });
        return;
    }
    if (worker.membership.holding() == work.holding()) {
        at(now() + taskTime, [this, work, round = worker.round] { finish(work, round); });
        return;
    }
    const ClusterTable& table = worker.membership.view().cluster(work.subcluster);
    const MemberRow* const holder = table.holder(work.seat);
    const Incarnation known = table.seat(work.seat)->incarnation;
    const bool toCome = known < work.incarnation
        || (known == work.incarnation && holder != nullptr && holder->processor == work.worker);
    if (toCome)
        at(now() + againAfter, [this, work] { begin(work); });
}

/// A worker is done. One that sleeps is so when it wakes.
void SystemSimulation::finish(const Work& work, std::uint32_t round)
{
    Node& worker = node(work.worker);
    if (!worker.alive)
        return;
    if (worker.paused) {
        worker.whenAwake(Arrival::Other, [this, work, round] { finish(work, round); });
        return;
    }
    if (worker.round != round)
        return;
    if (worker.membership.standing() == Standing::Suspended) {
        worker.held.emplace_back([this, work, round] { finish(work, round); });
        return;
    }
    if (!worker.works() || worker.membership.holding() != work.holding())
        return;
    ++m_tasksOf[work.worker];
    report(work, round);
}

/// Until some cluster master takes it, or the worker has lost its place.
void SystemSimulation::report(const Work& work, std::uint32_t round)
{
    const Node& worker = node(work.worker);
    if (!worker.alive || worker.round != round)
        return;
    const auto master = clusterMaster(worker.membership.view().cluster(work.subcluster));
    if (!master || !node(*master).alive) {
        at(now() + againAfter, [this, work, round] { report(work, round); });
        return;
    }
    carry(
        work.worker, *master, [this, to = *master, work, round] { takeResult(to, work, round); },
        [this, work, round] { report(work, round); });
}

std::uint32_t SystemSimulation::tasksOf(ProcessorId processor) const
{
    const auto found = m_tasksOf.find(processor);
    return found == m_tasksOf.end() ? 0 : found->second;
}

void SystemSimulation::takeResult(ProcessorId master, const Work& work, std::uint32_t round)
{
    const Node& taking = node(master);
    if (!taking.alive)
        return;
    const ClusterTable& table = taking.membership.view().cluster(work.subcluster);
    const Incarnation known = table.seat(work.seat)->incarnation;
    if (!writes(taking, work.subcluster) || known < work.incarnation) {
        at(now() + againAfter, [this, work, round] { report(work, round); });
        return;
    }
    Ledger& ledger = m_ledgers[work.subcluster.value()];
    const auto assigned = ledger.assigned.find(work.task);
    const bool valid = assigned != ledger.assigned.end() && assigned->second == work.holding()
        && known == work.incarnation && table.holder(work.seat) != nullptr;
    if (!valid && !m_sabotage.staleResultsCount)
        return;
    if (valid)
        ledger.assigned.erase(assigned);
    if (++ledger.counted[work.task] > 1)
        m_violations.push_back("task " + std::to_string(work.task) + " counted twice");
}

} // namespace tasuki::hierarchy::testing
