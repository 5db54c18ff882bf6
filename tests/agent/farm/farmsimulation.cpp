// SPDX-License-Identifier: GPL-3.0-or-later
#include "farmsimulation.h"

#include <algorithm>
#include <utility>

namespace tasuki::farm::testing {

using namespace std::chrono_literals;

namespace {

constexpr auto lostAfter = 1'000ms;
/// Simulated; many times what the longest of all waits take together.
constexpr auto longestRun = 120s;
const Rank masterRank(0);

LinkModel slowLink()
{
    LinkModel model;
    model.minimumDelay = 50ms;
    model.meanExtraDelay = 400ms;
    return model;
}

} // namespace

std::vector<EventPayload> randomList(std::uint32_t seed, std::uint32_t tasks)
{
    std::mt19937 random(seed);
    std::vector<EventPayload> opening{RunOpened{}};
    std::vector<std::shared_ptr<const TaskSettings>> settings;
    for (std::uint16_t budget = 0; budget < 3; ++budget) {
        TaskSettings made;
        made.retries.allowed = {budget, budget, 1, static_cast<std::uint16_t>(budget + 2)};
        settings.push_back(std::make_shared<const TaskSettings>(made));
    }
    std::uint32_t stage = 0;
    for (std::uint32_t i = 0; i < tasks; ++i) {
        if (random() % 150 == 0)
            ++stage;
        Task task;
        task.command = "task " + std::to_string(i);
        task.settings = settings[random() % settings.size()];
        task.stage = stage;
        task.position = i;
        TaskLinks links;
        if (i > 0 && random() % 10 == 0)
            links.after.emplace_back(static_cast<std::uint32_t>(random() % i));
        if (i % 10 == 3)
            links.label = "l" + std::to_string(i);
        if (links != TaskLinks{})
            task.links = std::make_shared<const TaskLinks>(std::move(links));
        opening.push_back(TaskAdded{TaskId(i), std::move(task)});
    }
    return opening;
}

FarmSimulation::FarmSimulation(const FarmScenario& scenario, RunState& state, Epoch epoch,
                               std::vector<EventPayload> opening)
    : m_scenario(scenario),
      m_random(scenario.seed * 7'919U + epoch.value()),
      m_network(scenario.ranks, m_clock, scenario.seed),
      m_journal(epoch, m_clock),
      m_opening(std::move(opening))
{
    MasterOptions options;
    options.run = RunId{"0"};
    options.directory = "/";
    options.hostKey = "host 0";
    options.lostAfter = lostAfter;
    options.scheduling.firstBackoff = 5ms;
    options.staysOpen = m_scenario.staysOpen;
    for (std::uint32_t number = m_scenario.dedicatedMaster ? 1 : 0; number < m_scenario.ranks;
         ++number)
        options.workers.emplace_back(static_cast<std::int32_t>(number));
    MasterObserver observer;
    observer.watch = [this](Rank rank, Incarnation incarnation, std::int64_t) {
        m_watched[rank] = incarnation;
    };
    m_master.emplace(std::move(options), state, m_network.at(masterRank), m_journal, m_clock,
                     std::move(observer));
    if (m_scenario.commands != 0)
        m_operator.emplace(*m_master, state, m_random(), m_scenario.mayStop);
    m_processors.reserve(m_scenario.ranks);
    for (std::uint32_t number = 0; number < m_scenario.ranks; ++number)
        makeProcessor(number);
    planFaults();
}

FarmSimulation::~FarmSimulation() = default;

void FarmSimulation::makeProcessor(std::uint32_t number)
{
    Processor& processor = m_processors.emplace_back();
    processor.rank = Rank(static_cast<std::int32_t>(number));
    processor.slots = 1 + below(3);
    Transport& transport = m_network.at(processor.rank);
    transport.setHandler([this, &processor](Rank from, Message message) {
        receive(processor, from, std::move(message));
    });
    if (number == 0 && m_scenario.dedicatedMaster)
        return;
    // Half of the processors live on the host of rank 0, where their deaths are seen.
    WorkerIdentity identity{.host = "host",
                            .hostKey = "host " + std::to_string(number % 2),
                            .pid = 1'000 + number,
                            .slotCount = processor.slots};
    processor.worker = std::make_unique<Worker>(
        std::move(identity), transport, m_clock, masterRank,
        [this, &processor](const Welcome&, Epoch) {
            auto executor = std::make_unique<SimulatedExecutor>(
                m_clock, processor.slots, [this, &processor](const Launch& launch) {
                    return planAttempt(processor, launch);
                });
            processor.executor = executor.get();
            return executor;
        });
    plan(within(20ms), [&processor] {
        processor.started = true;
        processor.worker->start();
    });
}

void FarmSimulation::planFaults()
{
    const auto sometime = [this] { return within(m_scenario.span); };
    for (std::uint32_t i = 0; i < m_scenario.deaths; ++i)
        plan(sometime(), [this, rank = anyWorkerRank()] { kill(rank); });
    for (std::uint32_t number = 1; m_scenario.allDie && number < m_scenario.ranks; ++number) {
        const Rank rank(static_cast<std::int32_t>(number));
        plan(sometime(), [this, rank] { kill(rank); });
    }
    for (std::uint32_t i = 0; i < m_scenario.pauses; ++i) {
        // Mostly long enough to be given up, sometimes rank 0.
        const auto time = 200ms + std::chrono::milliseconds(below(2'500));
        const Rank rank = below(8) == 0 ? masterRank : anyWorkerRank();
        plan(sometime(), [this, rank, time] { pauseFor(rank, time); });
    }
    for (std::uint32_t i = 0; i < m_scenario.slowLinks; ++i) {
        plan(sometime(), [this, rank = anyWorkerRank()] {
            m_network.setLink(rank, masterRank, slowLink());
            m_network.setLink(masterRank, rank, slowLink());
        });
    }
    for (std::uint32_t i = 0; i < m_scenario.breakdowns; ++i) {
        plan(sometime(), [this, rank = anyWorkerRank()] {
            Processor& processor = m_processors[static_cast<std::size_t>(rank.value())];
            if (processor.executor && m_network.alive(rank))
                processor.executor->breakDown("no guardian");
        });
    }
    for (std::uint32_t i = 0; i < m_scenario.stalls; ++i) {
        const auto begin = sometime();
        plan(begin, [this] { m_journal.stall(); });
        plan(begin + within(500ms), [this] { m_journal.recover(); });
    }
    for (std::uint32_t i = 0; i < m_scenario.interrupts; ++i)
        plan(sometime(), [this] { m_master->interrupt(); });
    for (std::uint32_t i = 0; i < m_scenario.commands; ++i) {
        plan(sometime(), [this] {
            if (masterWorks())
                m_operator->act();
        });
    }
    if (m_scenario.masterDies)
        plan(sometime(), [this] { m_network.kill(masterRank); });
    if (m_scenario.sabotage == Sabotage::LostMessages)
        m_network.setLoss(0.02);
}

void FarmSimulation::plan(std::chrono::nanoseconds delay, std::function<void()> act)
{
    m_actions.push_back({m_clock.now() + delay, std::move(act)});
}

void FarmSimulation::kill(Rank rank)
{
    if (!m_network.alive(rank))
        return;
    m_network.kill(rank,
                   below(2) == 0 ? SimulatedNetwork::LastWords::Lost
                                 : SimulatedNetwork::LastWords::Delivered);
    if (const auto watched = m_watched.find(rank); watched != m_watched.end()) {
        plan(1ms + within(50ms), [this, rank, incarnation = watched->second] {
            m_master->processGone(rank, incarnation);
        });
    }
}

void FarmSimulation::pauseFor(Rank rank, std::chrono::milliseconds time)
{
    if (!m_network.alive(rank) || m_network.paused(rank))
        return;
    m_network.pause(rank);
    plan(time, [this, rank] { m_network.resume(rank); });
}

void FarmSimulation::receive(Processor& processor, Rank from, Message message)
{
    Result<Envelope> envelope = decode(message);
    if (!envelope) {
        complain("a message cannot be read");
        return;
    }
    if (from == masterRank && processor.worker && isForWorker(envelope->message)) {
        const bool welcome = std::holds_alternative<Welcome>(envelope->message);
        if (welcome) {
            m_rejoins += envelope->incarnation > Incarnation(1) ? 1U : 0U;
            processor.epoch = envelope->epoch;
            processor.incarnation = envelope->incarnation;
        }
        if (m_scenario.sabotage == Sabotage::StaleResults)
            sabotage(processor, *envelope);
        processor.worker->receive(*envelope);
    }
    if (processor.rank == masterRank && isForMaster(envelope->message)) {
        const Report* report = std::get_if<Report>(&envelope->message);
        if (report && !report->finished.empty()) {
            m_processors[static_cast<std::size_t>(from.value())].oldResult =
                report->finished.back().result;
        }
        m_master->receive(from, std::move(*envelope));
    }
}

/// Answers an assignment at once with a result that it still has from an earlier life.
void FarmSimulation::sabotage(Processor& processor, const Envelope& envelope)
{
    const Assign* assign = std::get_if<Assign>(&envelope.message);
    if (!assign || envelope.incarnation == Incarnation(1) || !processor.oldResult)
        return;
    ++m_staleResults;
    Report report;
    report.finished.push_back(
        {assign->tasks.front().key, SlotIndex(0), *std::exchange(processor.oldResult, {})});
    m_network.at(processor.rank)
        .send(masterRank, encode({envelope.epoch, envelope.incarnation, std::move(report)}));
}

SimulatedExecutor::Plan FarmSimulation::planAttempt(Processor& processor, const Launch& launch)
{
    SimulatedExecutor::Plan made;
    // Most are short, a few are long.
    made.runTime = below(20) == 0 ? within(200ms) : within(8ms);
    AttemptResult& result = made.result;
    result.outcome = Outcome::Succeeded;
    if (below(8) == 0) {
        static constexpr std::array failures{Outcome::Failed, Outcome::Signalled, Outcome::TimedOut,
                                             Outcome::NotStarted};
        result.outcome = failures[below(failures.size())];
        result.code = 1;
    }
    const ExecutionToken token{processor.rank, processor.epoch, processor.incarnation, ++m_serial};
    result.standardOutput.head = token.text();
    result.standardOutput.totalBytes = result.standardOutput.head.size();
    result.standardError.head = launch.command;
    result.standardError.totalBytes = launch.command.size();
    return made;
}

std::string FarmSimulation::run()
{
    m_master->open(std::exchange(m_opening, {}));
    while (!allOver()) {
        if (elapsed() > longestRun) {
            complain("the run does not end");
            break;
        }
        advance(step());
    }
    if (m_network.alive(masterRank) && !m_master->over())
        complain("the master does not end");
    if (m_operator)
        complain(m_operator->check(m_journal.record(), m_network.alive(masterRank)));
    for (const Processor& processor : m_processors) {
        if (processor.executor && !processor.executor->complaint().empty())
            complain(processor.executor->complaint());
    }
    return m_complaint;
}

/// Lets everybody do what is due now.
/// @return whether somebody did
bool FarmSimulation::step()
{
    for (std::size_t i = 0; i < m_actions.size();) { // actions may plan more
        if (m_actions[i].when > m_clock.now()) {
            ++i;
            continue;
        }
        const std::function<void()> act = std::move(m_actions[i].act);
        m_actions.erase(m_actions.begin() + static_cast<std::ptrdiff_t>(i));
        act();
    }
    // After a pause, either may be what a processor looks at first.
    const bool networkFirst = below(2) == 0;
    bool busy = networkFirst && m_network.pollAll();
    for (Processor& processor : m_processors) {
        if (!processor.worker || !m_network.alive(processor.rank)
            || m_network.paused(processor.rank))
            continue;
        if (processor.executor && !processor.worker->over())
            processor.executor->poll();
        if (processor.started)
            busy = processor.worker->poll() || busy;
    }
    if (!networkFirst)
        busy = m_network.pollAll() || busy;
    if (masterWorks()) {
        if (m_operator && elapsed() > m_scenario.span)
            m_operator->wrapUp();
        busy = m_master->poll() || busy;
        watchStall();
        if (below(4) == 0)
            m_journal.commit();
    }
    return busy;
}

/// Moves the clock to what comes next, in steps that a reactor would take.
void FarmSimulation::advance(bool busy)
{
    const auto least = m_scenario.ranks > 32 ? 1ms : 200us;
    const SteadyTime now = m_clock.now();
    SteadyTime next = now + (busy ? 1ms : 20ms);
    if (const auto delivery = m_network.nextDelivery())
        next = std::min(next, *delivery);
    for (const Processor& processor : m_processors) {
        if (!processor.executor || processor.worker->over() || !m_network.alive(processor.rank)
            || m_network.paused(processor.rank))
            continue;
        if (const auto due = processor.executor->nextDue())
            next = std::min(next, *due);
    }
    for (const Action& action : m_actions)
        next = std::min(next, action.when);
    m_clock.advance(std::max<std::chrono::nanoseconds>(next - now, least));
}

/// While the record cannot be written, nothing may be handed out.
void FarmSimulation::watchStall()
{
    if (!m_journal.stalled()) {
        m_outstandingAtStall.reset();
        return;
    }
    const std::size_t outstanding = m_master->outstanding();
    if (m_outstandingAtStall && outstanding > *m_outstandingAtStall)
        complain("handed out while the record cannot be written");
    m_outstandingAtStall = outstanding;
}

bool FarmSimulation::masterWorks() const
{
    return m_network.alive(masterRank) && !m_network.paused(masterRank) && !m_master->over();
}

bool FarmSimulation::allOver()
{
    if (!m_actions.empty())
        return false; // whoever is to be resumed must get the chance
    if (m_network.alive(masterRank) && !m_master->over())
        return false;
    return std::ranges::all_of(m_processors, [this](const Processor& processor) {
        return !processor.worker || !m_network.alive(processor.rank) || processor.worker->over();
    });
}

void FarmSimulation::complain(const std::string& what)
{
    if (m_complaint.empty())
        m_complaint = what;
}

std::uint32_t FarmSimulation::below(std::uint32_t limit)
{
    return static_cast<std::uint32_t>(m_random() % limit);
}

std::chrono::microseconds FarmSimulation::within(std::chrono::microseconds span)
{
    return std::chrono::microseconds(below(static_cast<std::uint32_t>(span.count())) + 1);
}

Rank FarmSimulation::anyWorkerRank()
{
    return Rank(static_cast<std::int32_t>(1 + below(m_scenario.ranks - 1)));
}

} // namespace tasuki::farm::testing
