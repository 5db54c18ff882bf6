// SPDX-License-Identifier: GPL-3.0-or-later
#include "simulatednode.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <utility>

namespace tasuki::hierarchy::testing {

using std::chrono::milliseconds;
using std::chrono::nanoseconds;

namespace {

constexpr nanoseconds beatTime = milliseconds(100);

MembershipView firstView(const SimulationShape& shape)
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
        if (number >= shape.ofStart()) {
            const std::uint32_t guest = number - shape.ofStart();
            place = {.subcluster = SubclusterId(guest % shape.subclusters),
                     .unit = UnitId(shape.subclusters * shape.units + guest),
                     .kind = ProcessorKind::Standby,
                     .reserved = true};
            if (guest < shape.guestSeats) {
                place.seat = seat(seats.size());
                seats.push_back(SeatKind::Active);
            }
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
                                   const Sabotage& sabotage, std::ostream* decisions)
    : m_shape(shape),
      m_sabotage(sabotage),
      m_decisions(decisions),
      m_random(seed),
      m_ledgers(shape.subclusters)
{
    const MembershipView view = firstView(shape);
    if (m_decisions != nullptr) {
        *m_decisions << DecisionWriter::head(
            view, [&](ProcessorId one) { return hostOf(view.member(one).unit); });
    }
    for (std::uint32_t number = 0; number < shape.processors(); ++number)
        m_nodes.push_back(std::make_unique<Node>(*this, ProcessorId(number), view));
    for (std::uint32_t number = 0; number < shape.processors(); ++number) {
        if (m_nodes[number]->alive)
            startNode(*m_nodes[number]);
    }
    for (std::uint32_t number = 0; number < shape.subclusters; ++number)
        handOut(SubclusterId(number));
}

SystemSimulation::~SystemSimulation() = default;

void SystemSimulation::startNode(Node& started)
{
    started.membership.start();
    at(now() + delay(), [this, &started] { poll(started); });
}

void SystemSimulation::join(ProcessorId guest)
{
    const bool excused = !m_faulty.insert(guest).second; // it gives itself up, as it has no place
    node(guest).alive = true;
    startNode(node(guest));
    ready(guest);
    if (!excused)
        m_faulty.erase(guest);
}

const MembershipAgent& SystemSimulation::membership(ProcessorId processor) const
{
    return node(processor).membership;
}
bool SystemSimulation::alive(ProcessorId processor) const { return node(processor).alive; }
bool SystemSimulation::paused(ProcessorId processor) const { return node(processor).paused; }
bool SystemSimulation::works(ProcessorId processor) const { return node(processor).works(); }
Life SystemSimulation::lifeOf(ProcessorId processor) const { return node(processor).being; }

bool SystemSimulation::everybodyIsBack() const
{
    const auto leading = acting();
    if (leading.size() != 1 || !inStep() || !recordIsKept())
        return false;
    const MembershipView& view = membership(leading.front()).view();
    return std::ranges::all_of(m_nodes, [&view](const auto& one) {
        const MemberRow& row = view.member(one->self());
        return one->alive ? one->works() && row.health == Health::Alive && row.life == one->being
                          : !row.living();
    });
}

std::string SystemSimulation::describe(ProcessorId processor) const
{
    constexpr std::array standings{" valid", " suspended", " lapsed"};
    const Node& one = node(processor);
    const Position& position = one.membership.position();
    const char* const may = !one.alive ? " ended"
        : one.paused                   ? " paused"
        : one.membership.fenced()
        ? " fenced"
        : standings.at(static_cast<std::size_t>(one.membership.standing()));
    return "\n  " + std::to_string(processor.value()) + " on " + std::to_string(hostOf(processor))
        + may + " life " + std::to_string(one.being.value())
        + (one.membership.actsAsSystemMaster() ? " acts" : "")
        + (position.systemMaster ? " system master" : "") + " below "
        + (position.parent ? std::to_string(position.parent->value()) : "nobody");
}

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

void SystemSimulation::arrive(ProcessorId from, Life life, ProcessorId to,
                              const ControlMessage& message)
{
    Node& receiver = node(to);
    if (!receiver.alive)
        return;
    if (receiver.paused) {
        receiver.whenAwake(isDatagram(message) ? Arrival::Datagram : Arrival::Message,
                           [this, from, life, to, message] { arrive(from, life, to, message); });
        return;
    }
    receiver.membership.receive(from, tampered(to, message), life);
    check(to);
}

void SystemSimulation::poll(Node& polled)
{
    if (!polled.alive)
        return;
    if (polled.paused) {
        polled.whenAwake(Arrival::Other, [this, &polled] { poll(polled); });
        return;
    }
    polled.membership.setTurns(++polled.life);
    const SteadyTime next = polled.membership.poll();
    check(polled.self());
    at(std::max(polled.clock.otherWhen(next), now() + milliseconds(1)),
       [this, &polled] { poll(polled); });
}

double SystemSimulation::rateOf(UnitId unit) const
{
    constexpr std::array signs{0.0, 1.0, -1.0};
    return 1.0 + m_shape.drift * signs[hostOf(unit) % signs.size()];
}

/// A fault hits a processor.
void SystemSimulation::hit(ProcessorId processor)
{
    m_faulty.insert(processor);
    constexpr std::uint32_t nextInLine = 3;
    const MembershipAgent& membership = node(processor).membership;
    if (membership.position().master()
        || placeInSuccession(membership.view(), processor) < nextInLine)
        m_mastersHit.push_back(now());
}

/// Whether one master, or one of the next in line, and another fell silent within the time of a lease:
/// then it may run out for those whom none of them came to look after. The same when there is no majority.
bool SystemSimulation::mastersFellSilent() const
{
    const nanoseconds window = (MembershipOptions{}.leaseBeats + 5) * beatTime;
    if (minorityIsAwake() || (m_minorityUntil && now() - *m_minorityUntil < window))
        return true;
    return std::ranges::count_if(m_mastersHit, [&](SteadyTime hit) { return now() - hit < window; })
        > 1;
}

void SystemSimulation::kill(ProcessorId processor)
{
    hit(processor);
    const bool before = m_ended.contains(processor);
    end(processor);
    if (!before)
        m_ended.erase(processor);
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
    m_ended.insert(processor);
    if (killed.decisions != nullptr)
        killed.decisions->ended();
    killed.paused = false;
    for (auto& one : std::exchange(killed.waiting, {}))
        at(now(), std::move(one.lost));
    at(now() + pidfdDelay, [this, processor] { died(processor); });
}

/// Who has neither a fault nor lost its masters keeps its lease.
void SystemSimulation::noteStanding(Node& node, Standing standing)
{
    const auto excused = [this] { return mastersFellSilent(); };
    switch (standing) {
    case Standing::Valid:
        node.kept.reset();
        for (auto& what : std::exchange(node.held, {}))
            at(now(), std::move(what));
        break;
    case Standing::Suspended:
        ++m_suspensions;
        if (!excused())
            punished(node.self(), "was suspended");
        break;
    case Standing::Lapsed:
        ++m_lapses;
        ++node.round;
        node.held.clear();
        m_lost.insert(node.self());
        if (!excused())
            punished(node.self(), "lapsed");
        break;
    }
}

void SystemSimulation::noteFenced(Node& node)
{
    ++m_selfFenced;
    ++node.round;
    node.held.clear();
    node.kept.reset();
    m_lost.insert(node.self());
    if (!mastersFellSilent())
        punished(node.self(), "gave itself up");
    at(now() + leaveTime, [this, self = node.self()] { endOrReturn(self); });
}

/// Nothing of what a fenced processor did is left.
void SystemSimulation::endOrReturn(ProcessorId processor)
{
    Node& fenced = node(processor);
    if (!fenced.alive)
        return;
    if (!m_shape.rejoin && !fenced.membership.view().member(processor).reserved())
        end(processor);
    else if (fenced.paused)
        fenced.whenAwake(Arrival::Other, [this, processor] { endOrReturn(processor); });
    else
        fenced.membership.comeBack();
}

void SystemSimulation::died(ProcessorId processor)
{
    for (const auto& watcher : m_nodes) {
        if (!watcher->alive || !watcher->watched.contains(processor))
            continue;
        const auto tell = [this, &told = *watcher, processor] {
            told.membership.gone(processor);
            check(told.self());
        };
        watcher->whenAwake(Arrival::Other, tell);
    }
}

void SystemSimulation::settle() { m_faulty.clear(); }

void SystemSimulation::ready(ProcessorId processor)
{
    node(processor).membership.setReadiness(Readiness::Ready);
}

void SystemSimulation::readyAll()
{
    for (std::uint32_t number = 0; number < m_shape.ofStart(); ++number)
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
        if (!one->works())
            continue;
        if (digest && *digest != one->membership.view().digest())
            return false;
        digest = one->membership.view().digest();
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
    const MembershipView& view = membership(systemMaster()).view();
    std::size_t lost = 0;
    for (std::uint32_t number = 0; number < view.clusterCount(); ++number) {
        for (const MemberRow& row : view.cluster(SubclusterId(number)).members)
            lost += row.living() ? 0 : 1;
    }
    return lost;
}

/// At no instant do two act as the system master.
void SystemSimulation::checkMaster(const Node& one)
{
    if (one.self() == m_master || !one.leads())
        return;
    if (node(m_master).leads()) {
        const auto writes = [](const Node& master) {
            return master.membership.view().system().version;
        };
        const bool later = writes(one) > writes(node(m_master));
        noteOverlap(later ? m_master : one.self(),
                    "the system has two masters, " + std::to_string(m_master.value()) + " and "
                        + std::to_string(one.self().value()));
        if (!later && m_clocksAreWrong)
            return; // the record refuses it
    }
    m_master = one.self();
}

/// At no instant do two act for a seat. Looked at whenever a processor has done something, for its
/// own seat.
void SystemSimulation::check(ProcessorId processor)
{
    const Node& checked = node(processor);
    checkMaster(checked);
    if (processor == systemMaster() && checked.leads()) {
        noteDrained();
        keepRecord(checked);
    } else if (processor == systemMaster()) {
        m_opening.reset(); // if it ever leads again, it reads the record first
        m_recorder.reset();
    }
    checkSeating(node(processor));
    const auto holding = checked.actsIn();
    if (!holding)
        return;
    const auto [place, added] = m_acting.try_emplace(holding->seat, processor);
    const auto other = node(place->second).actsIn();
    if (!added && place->second != processor && other && other->seat == holding->seat) {
        noteOverlap(other->incarnation < holding->incarnation ? place->second : processor,
                    "seat " + std::to_string(holding->seat.value()) + " is held by "
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
        const auto& children = node(master).membership.position().children;
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
