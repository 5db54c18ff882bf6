// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulatednode.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace tasuki::hierarchy::testing {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

namespace {

constexpr milliseconds taskTime{120};
constexpr milliseconds handOutEvery{50};
constexpr nanoseconds beatTime = milliseconds(100);

Picture firstPicture(const SimulationShape& shape)
{
    const std::uint32_t each = shape.each();
    const std::uint32_t dedicated = shape.dedicated ? 1 : 0;
    std::vector<Place> places;
    std::vector<SeatKind> seats(shape.subclusters * shape.active, SeatKind::Active);
    const std::size_t edges = seats.size();
    seats.resize(edges + shape.subclusters * shape.io, SeatKind::Io);
    const std::size_t masters = seats.size();
    seats.resize(masters + shape.subclusters * dedicated, SeatKind::Master);
    const auto seat = [](std::size_t number) { return SeatId(static_cast<std::uint32_t>(number)); };
    for (std::uint32_t number = 0; number < shape.processors(); ++number) {
        const std::uint32_t subcluster = number / each;
        const std::uint32_t in = number % each;
        Place place{.subcluster = SubclusterId(subcluster),
                    .unit = UnitId(subcluster * shape.units + in * shape.units / each),
                    .kind = ProcessorKind::Standby};
        if (in < dedicated) {
            place.kind = ProcessorKind::DedicatedMaster;
            place.seat = seat(masters + subcluster);
        } else if (in < dedicated + shape.io) {
            place.kind = ProcessorKind::Io;
            place.seat = seat(edges + subcluster * shape.io + in - dedicated);
        } else if (in < dedicated + shape.io + shape.active) {
            place.kind = ProcessorKind::Active;
            place.seat = SeatId(subcluster * shape.active + in - dedicated - shape.io);
        }
        places.push_back(place);
    }
    const std::vector rules(shape.subclusters,
                            ClusterRules{.minimum = shape.minimum, .restarts = shape.restarts});
    SystemTable system;
    system.settings.rejoin = shape.rejoin;
    return {places, seats, system, rules};
}

} // namespace

SystemSimulation::SystemSimulation(const SimulationShape& shape, std::uint64_t seed,
                                   const Sabotage& sabotage)
    : m_shape(shape), m_sabotage(sabotage), m_random(seed), m_ledgers(shape.subclusters)
{
    const Picture picture = firstPicture(shape);
    for (std::uint32_t number = 0; number < shape.processors(); ++number)
        m_nodes.push_back(std::make_unique<Node>(*this, ProcessorId(number), picture));
    for (std::uint32_t number = 0; number < shape.processors(); ++number) {
        Node& started = *m_nodes[number];
        started.keeper.start();
        at(now() + delay(), [this, &started] { poll(started); });
    }
    for (std::uint32_t number = 0; number < shape.subclusters; ++number)
        at(now() + handOutEvery, [this, number] { handOut(SubclusterId(number)); });
}

SystemSimulation::~SystemSimulation() = default;

const Keeper& SystemSimulation::keeper(ProcessorId processor) const
{
    return node(processor).keeper;
}
bool SystemSimulation::alive(ProcessorId processor) const { return node(processor).alive; }
bool SystemSimulation::paused(ProcessorId processor) const { return node(processor).paused; }

bool SystemSimulation::sameHost(ProcessorId one, ProcessorId other) const
{
    if (m_shape.oneHost)
        return true;
    return hostOf(one) == hostOf(other);
}

bool SystemSimulation::loses(double share)
{
    return share > 0 && std::uniform_real_distribution<>(0, 1)(m_random) < share;
}

nanoseconds SystemSimulation::delay()
{
    const double roll = std::uniform_real_distribution<>(0, 1)(m_random);
    const double extra = -std::log1p(-roll) * static_cast<double>(m_shape.meanExtraDelay.count());
    return m_shape.minimumDelay + nanoseconds(static_cast<std::int64_t>(extra));
}

void SystemSimulation::at(SteadyTime when, std::function<void()> what)
{
    m_happenings.push({when, ++m_order, std::move(what)});
}

void SystemSimulation::deliver(ProcessorId from, ProcessorId to, ControlMessage message)
{
    if (!node(from).alive)
        return;
    count(from, to);
    if (m_listener)
        m_listener(from, to, message);
    if (m_sabotage.ordersAreLost && std::holds_alternative<Orders>(message))
        return;
    const bool lost = loses(isDatagram(message) ? m_shape.datagramLoss : m_shape.messageLoss)
        || m_cuts.contains({from, to});
    if (lost)
        return;
    nanoseconds time = delay();
    if (isDatagram(message) && loses(m_shape.datagramsHeldUp)) {
        time += nanoseconds(std::uniform_int_distribution<std::int64_t>(
            0, m_shape.longestHoldUp.count())(m_random));
    }
    at(now() + time, [this, from, life = node(from).being, to, message = std::move(message)] {
        if (!node(from).unheard)
            arrive(from, life, to, message);
    });
}

void SystemSimulation::arrive(ProcessorId from, std::uint32_t life, ProcessorId to,
                              const ControlMessage& message)
{
    Node& receiver = node(to);
    if (!receiver.alive)
        return;
    if (receiver.paused) {
        receiver.waiting.emplace_back(
            [this, from, life, to, message] { arrive(from, life, to, message); });
        return;
    }
    receiver.keeper.receive(from, tampered(to, message), life);
    check(to);
}

void SystemSimulation::poll(Node& polled)
{
    if (!polled.alive)
        return;
    if (polled.paused) {
        polled.waiting.emplace_back([this, &polled] { poll(polled); });
        return;
    }
    polled.keeper.setTurns(++polled.life);
    const SteadyTime next = polled.keeper.poll();
    check(polled.self());
    at(std::max(next, now() + milliseconds(1)), [this, &polled] { poll(polled); });
}

/// A fault hits a processor.
void SystemSimulation::hit(ProcessorId processor)
{
    m_faulty.insert(processor);
    constexpr std::uint32_t nextInLine = 3;
    const Keeper& keeper = node(processor).keeper;
    if (keeper.position().master() || placeInSuccession(keeper.picture(), processor) < nextInLine)
        m_mastersHit.push_back(now());
}

/// Whether one master, or one of the next in line, and another fell silent within the time of a lease:
/// then it may run out for those whom none of them came to look after.
bool SystemSimulation::mastersFellSilent() const
{
    const nanoseconds window = (KeeperOptions{}.leaseBeats + 5) * beatTime;
    return std::ranges::count_if(m_mastersHit, [&](SteadyTime hit) { return now() - hit < window; })
        > 1;
}

void SystemSimulation::kill(ProcessorId processor)
{
    hit(processor);
    end(processor);
}

void SystemSimulation::killUnheard(ProcessorId processor)
{
    node(processor).unheard = true;
    kill(processor);
}

/// Who was neither killed nor paused nor cut is never lost.
void SystemSimulation::punished(ProcessorId processor, const char* how)
{
    if (!m_faulty.contains(processor))
        m_violations.push_back(std::to_string(processor.value()) + " " + how + " without a fault");
}

void SystemSimulation::end(ProcessorId processor)
{
    Node& killed = node(processor);
    if (!std::exchange(killed.alive, false))
        return;
    killed.paused = false;
    killed.waiting.clear();
    at(now() + pidfdDelay, [this, processor] { died(processor); });
}

/// Nothing of what a fenced processor did is left.
void SystemSimulation::endOrReturn(ProcessorId processor)
{
    Node& fenced = node(processor);
    if (!fenced.alive)
        return;
    if (!m_shape.rejoin)
        end(processor);
    else if (fenced.paused)
        fenced.waiting.emplace_back([this, processor] { endOrReturn(processor); });
    else
        fenced.keeper.comeBack();
}

void SystemSimulation::died(ProcessorId processor)
{
    for (const auto& watcher : m_nodes) {
        if (!watcher->alive || !watcher->watched.contains(processor))
            continue;
        const auto tell = [this, &told = *watcher, processor] {
            told.keeper.gone(processor);
            check(told.self());
        };
        if (watcher->paused)
            watcher->waiting.emplace_back(tell);
        else
            tell();
    }
}

void SystemSimulation::pause(ProcessorId processor)
{
    hit(processor);
    if (node(processor).alive)
        node(processor).paused = true;
}

void SystemSimulation::settle() { m_faulty.clear(); }

void SystemSimulation::resume(ProcessorId processor)
{
    Node& resumed = node(processor);
    if (!resumed.alive || !std::exchange(resumed.paused, false))
        return;
    resumed.keeper.poll(); // timers come before sockets
    check(processor);
    for (const auto& what : std::exchange(resumed.waiting, {}))
        what();
}

void SystemSimulation::ready(ProcessorId processor)
{
    node(processor).keeper.setReadiness(Readiness::Ready);
}

void SystemSimulation::readyAll()
{
    for (std::uint32_t number = 0; number < size(); ++number)
        ready(ProcessorId(number));
}

void SystemSimulation::setLosses(double datagrams, double messages)
{
    m_shape.datagramLoss = datagrams;
    m_shape.messageLoss = messages;
}

void SystemSimulation::addTasks(std::uint32_t each)
{
    for (Ledger& ledger : m_ledgers) {
        for (std::uint32_t i = 0; i < each; ++i)
            ledger.waiting.insert(ledger.tasks++);
        ledger.counted.resize(ledger.tasks);
    }
}

/// The cluster master gives each holder of a rank a task, and takes back what lost ones had.
void SystemSimulation::handOut(SubclusterId subcluster)
{
    at(now() + handOutEvery, [this, subcluster] { handOut(subcluster); });
    const Node* master = nullptr;
    for (const auto& candidate : m_nodes) {
        const Keeper& keeper = candidate->keeper;
        if (candidate->alive && !candidate->paused && !keeper.fenced()
            && keeper.position().clusterMaster && keeper.picture().system().started
            && clusterMaster(keeper.picture().cluster(subcluster)).has_value()
            && &node(*clusterMaster(keeper.picture().cluster(subcluster))) == candidate.get())
            master = candidate.get();
    }
    if (master == nullptr)
        return;
    const ClusterTable& table = master->keeper.picture().cluster(subcluster);
    const ProcessorId masterId = *clusterMaster(table);
    Ledger& ledger = m_ledgers[subcluster.value()];
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
            || busy.contains(*row.seat) || table.seat(*row.seat)->kind != SeatKind::Active
            || ledger.waiting.empty())
            continue;
        const std::uint32_t task = *ledger.waiting.begin();
        ledger.waiting.erase(ledger.waiting.begin());
        const Holding holding{*row.seat, table.seat(*row.seat)->incarnation};
        ledger.assigned[task] = holding;
        const ProcessorId worker = row.processor;
        const Work work{task, holding.seat, holding.incarnation, masterId};
        at(now() + delay() + taskTime, [this, work, worker] { finish(work, worker); });
    }
}

/// A worker is done. One that sleeps is so when it wakes.
void SystemSimulation::finish(const Work& work, ProcessorId worker)
{
    Node& done = node(worker);
    if (!done.alive)
        return;
    if (done.paused) {
        done.waiting.emplace_back([this, work, worker] { finish(work, worker); });
        return;
    }
    ++m_tasksOf[worker];
    at(now() + delay(), [this, work] { takeResult(work); });
}

std::uint32_t SystemSimulation::tasksOf(ProcessorId processor) const
{
    const auto found = m_tasksOf.find(processor);
    return found == m_tasksOf.end() ? 0 : found->second;
}

void SystemSimulation::takeResult(const Work& work)
{
    const Picture& first = m_nodes.front()->keeper.picture();
    const SubclusterId subcluster = first.subclusterOf(work.to);
    Ledger& ledger = m_ledgers[subcluster.value()];
    const auto assigned = ledger.assigned.find(work.task);
    const bool valid = assigned != ledger.assigned.end()
        && assigned->second == Holding{work.seat, work.incarnation};
    if (!valid && !m_sabotage.staleResultsCount)
        return;
    if (valid)
        ledger.assigned.erase(assigned);
    if (++ledger.counted[work.task] > 1)
        m_violations.push_back("task " + std::to_string(work.task) + " counted twice");
}

bool SystemSimulation::allDone() const
{
    return std::ranges::all_of(m_ledgers, [](const Ledger& ledger) {
        return std::ranges::all_of(ledger.counted, [](std::uint32_t times) { return times == 1; });
    });
}

bool SystemSimulation::inStep() const
{
    std::optional<std::uint64_t> digest;
    for (const auto& one : m_nodes) {
        if (!one->alive || one->paused || one->keeper.fenced())
            continue;
        if (digest && *digest != one->keeper.picture().digest())
            return false;
        digest = one->keeper.picture().digest();
    }
    return true;
}

std::size_t SystemSimulation::dead() const
{
    return static_cast<std::size_t>(
        std::ranges::count_if(m_nodes, [](const auto& one) { return !one->alive; }));
}

std::size_t SystemSimulation::lostRows() const
{
    const Picture& picture = keeper(systemMaster()).picture();
    std::size_t lost = 0;
    for (std::uint32_t number = 0; number < picture.clusterCount(); ++number) {
        for (const MemberRow& row : picture.cluster(SubclusterId(number)).members)
            lost += row.living() ? 0 : 1;
    }
    return lost;
}

/// At no instant do two act as the system master.
void SystemSimulation::checkMaster(const Node& one)
{
    const auto acts = [](const Node& node) {
        return node.alive && !node.paused && node.keeper.actsAsSystemMaster();
    };
    if (one.self() == m_master || !acts(one))
        return;
    if (acts(node(m_master))) {
        m_violations.push_back("the system has two masters, " + std::to_string(m_master.value())
                               + " and " + std::to_string(one.self().value()));
    }
    m_master = one.self();
}

/// At no instant do two act for a seat. Looked at whenever a processor has done something, for its
/// own seat.
void SystemSimulation::check(ProcessorId processor)
{
    checkMaster(node(processor));
    if (processor == systemMaster()) {
        noteDrained();
        keepRecord(node(processor));
    }
    checkSeating(node(processor));
    const auto acts = [this](ProcessorId one, SeatId seat) {
        const Node& other = node(one);
        return other.alive && !other.paused && !other.keeper.fenced() && other.keeper.holding()
            && other.keeper.holding()->seat == seat;
    };
    const auto& holding = node(processor).keeper.holding();
    if (!holding || !acts(processor, holding->seat))
        return;
    const auto [place, added] = m_acting.try_emplace(holding->seat, processor);
    if (!added && place->second != processor && acts(place->second, holding->seat)) {
        m_violations.push_back("seat " + std::to_string(holding->seat.value()) + " is held by "
                               + std::to_string(place->second.value()) + " and "
                               + std::to_string(processor.value()));
    }
    place->second = processor;
}

void SystemSimulation::count(ProcessorId from, ProcessorId to)
{
    ++m_messages;
    const SteadyTime beat = SteadyTime{} + (now().time_since_epoch() / beatTime) * beatTime;
    if (beat != m_beatBegun)
        closeBeat();
    m_beatBegun = beat;
    const auto countFor = [&](ProcessorId master, ProcessorId child) {
        const auto& children = node(master).keeper.position().children;
        if (!std::ranges::binary_search(children, child))
            return;
        Load& load = m_masterCounts[master];
        ++load.messages;
        load.children = std::max(load.children, children.size());
    };
    countFor(to, from);
    countFor(from, to);
}

/// Adds a beat to what masters had to do. What counts is the time in which a loss is noticed, of
/// ten beats: a takeover makes some more messages in one of them.
void SystemSimulation::closeBeat()
{
    constexpr std::size_t beats = 10;
    for (const auto& [master, beat] : std::exchange(m_masterCounts, {})) {
        std::deque<double>& load = m_loads[master];
        load.push_back(static_cast<double>(beat.messages) / static_cast<double>(beat.children));
        m_busiestBeat = std::max(m_busiestBeat, load.back());
        if (load.size() > beats)
            load.pop_front();
        if (load.size() == beats) {
            m_busiest = std::max(m_busiest,
                                 std::accumulate(load.begin(), load.end(), 0.0)
                                     / static_cast<double>(beats));
        }
    }
}

void SystemSimulation::step(SteadyTime limit)
{
    if (m_happenings.empty() || m_happenings.top().at > limit) {
        m_clock.advance(limit - now());
        return;
    }
    const Happening next = m_happenings.top();
    m_happenings.pop();
    if (next.at > now())
        m_clock.advance(next.at - now());
    next.what();
}

void SystemSimulation::run(nanoseconds duration)
{
    runUntil([] { return false; }, duration);
}

bool SystemSimulation::runUntil(const std::function<bool()>& done, nanoseconds limit)
{
    const SteadyTime end = now() + limit;
    while (now() < end) {
        step(end);
        if (done())
            return true;
    }
    return done();
}

} // namespace tasuki::hierarchy::testing
