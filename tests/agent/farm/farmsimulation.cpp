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
const ProcessorId masterId(0);

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
            links.after = {TaskId(static_cast<std::uint32_t>(random() % i))};
        if (i % 10 == 3)
            links.label = "l" + std::to_string(i);
        if (links != TaskLinks{})
            task.links = std::make_shared<const TaskLinks>(std::move(links));
        opening.push_back(TaskAdded{TaskId(i), std::move(task)});
    }
    return opening;
}

FarmSimulation::FarmSimulation(const FarmScenario& scenario, RunState& state, Epoch epoch,
                               std::vector<EventPayload> opening, std::vector<Event> earlier)
    : m_scenario(scenario),
      m_random(scenario.seed * 7'919U + epoch.value()),
      m_network(scenario.ranks, m_clock, scenario.seed),
      m_journal(epoch, m_clock),
      m_opening(std::move(opening)),
      m_earlier(std::move(earlier))
{
    if (m_scenario.hosts > 1) {
        m_copies.emplace(m_scenario.hosts, m_network, m_clock, m_journal);
        m_copies->lead(m_masterAt, Term());
    }
    makeMaster(state);
    if (m_scenario.commands != 0)
        m_operator.emplace(*m_master, state, m_random(), m_scenario.mayStop);
    m_processors.reserve(m_scenario.ranks);
    for (std::uint32_t number = 0; number < m_scenario.ranks; ++number)
        makeProcessor(number);
    dealRanks();
    planFaults();
}

FarmSimulation::~FarmSimulation() = default;

void FarmSimulation::makeMaster(RunState& state)
{
    MasterOptions options;
    options.run = RunId{"0"};
    options.directory = "/";
    options.scheduling.firstBackoff = 5ms;
    options.staysOpen = m_scenario.staysOpen;
    options.term = m_term;
    options.elapsed = std::chrono::floor<std::chrono::microseconds>(elapsed());
    MasterObserver observer;
    if (m_copies)
        observer.published = [this](const Event& event) { m_published.push_back(event); };
    m_master.emplace(std::move(options), state, m_network.at(m_masterAt),
                     m_copies ? m_copies->journal() : m_journal, m_clock, std::move(observer));
}

void FarmSimulation::makeProcessor(std::uint32_t number)
{
    Processor& made = m_processors.emplace_back();
    made.id = ProcessorId(number);
    made.cluster = clusterOf(number);
    made.slots = 1 + below(3);
    Transport& transport = m_network.at(made.id);
    transport.setHandler([this, &made](ProcessorId from, Message message) {
        receive(made, from, std::move(message));
    });
    WorkerIdentity identity{.epoch = m_journal.epoch(),
                            .host = "host",
                            .pid = 1'000 + number,
                            .slotCount = made.slots,
                            .cautiousAfter = lostAfter / 2,
                            .expected = Welcome{.run = "0", .directory = "/"}};
    made.worker = std::make_unique<Worker>(
        std::move(identity), transport, m_clock, masterId, [this, &made](Rank, const Welcome&) {
            auto executor = std::make_unique<SimulatedExecutor>(
                m_clock, made.slots,
                [this, &made](const Launch& launch) { return planAttempt(made, launch); });
            made.executor = executor.get();
            return executor;
        });
}

/// The processors that are no standbys hold the ranks of their numbers.
void FarmSimulation::dealRanks()
{
    dealGroups();
    for (std::uint32_t number = m_scenario.dedicatedMaster ? 1 : 0; number < m_scenario.ranks;
         ++number) {
        if (isStandby(number) || clusterOf(number) != 0)
            continue;
        const HeldRank held{Rank(static_cast<std::int32_t>(number)), Incarnation(1)};
        m_seats[held.rank] = {ProcessorId(number), held.incarnation};
        m_master->rankHeld(held.rank, ProcessorId(number), held.incarnation);
        give(ProcessorId(number), held);
    }
    plan(within(30ms), [this] { m_master->begin(); });
}

void FarmSimulation::planFaults()
{
    const auto sometime = [this] { return within(m_scenario.span); };
    for (std::uint32_t i = 0; i < m_scenario.deaths; ++i)
        plan(sometime(), [this, id = anyWorker()] { kill(id); });
    for (std::uint32_t number = 1; m_scenario.allDie && number < m_scenario.ranks; ++number) {
        plan(sometime(), [this, number] { kill(ProcessorId(number)); });
    }
    for (std::uint32_t i = 0; i < m_scenario.pauses; ++i) {
        // Mostly long enough to be given up, sometimes the master.
        const auto time = 200ms + std::chrono::milliseconds(below(2'500));
        const ProcessorId id = below(8) == 0 ? masterId : anyWorker();
        plan(sometime(), [this, id, time] { pauseFor(id, time); });
    }
    for (std::uint32_t i = 0; i < m_scenario.slowLinks; ++i) {
        plan(sometime(), [this, id = anyWorker()] {
            m_network.setLink(id, masterId, slowLink());
            m_network.setLink(masterId, id, slowLink());
        });
    }
    for (std::uint32_t i = 0; i < m_scenario.breakdowns; ++i) {
        plan(sometime(), [this, id = anyWorker()] {
            if (processor(id).executor && m_network.alive(id))
                processor(id).executor->breakDown("no guardian");
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
    if (m_scenario.groups != 0)
        planGroupFaults();
    if (m_scenario.masterDies)
        plan(sometime(), [this] { killMaster(); });
    for (std::uint32_t i = 0; i < m_scenario.successions; ++i)
        plan(60ms + sometime(), [this] { kill(m_masterAt); }); // the run has begun
    if (m_scenario.sabotage == Sabotage::LostMessages)
        m_network.setLoss(0.02);
}

void FarmSimulation::plan(std::chrono::nanoseconds delay, std::function<void()> act)
{
    m_actions.push_back({m_clock.now() + delay, std::move(act)});
}

void FarmSimulation::kill(ProcessorId id)
{
    if (!m_network.alive(id))
        return;
    m_network.kill(id,
                   below(2) == 0 ? SimulatedNetwork::LastWords::Lost
                                 : SimulatedNetwork::LastWords::Delivered);
    plan(1ms + within(50ms), [this, id] { giveUp(id, LossCause::Gone); });
}

/// The others see that and give the run up.
void FarmSimulation::killMaster()
{
    m_network.kill(masterId);
    for (Processor& other : m_processors)
        plan(within(50ms), [this, &other] { abandon(other); });
}

/// A processor learns that it has to give up, as soon as it runs.
void FarmSimulation::abandon(Processor& processor)
{
    if (m_network.paused(processor.id))
        plan(5ms, [this, &processor] { abandon(processor); });
    else
        processor.worker->abandon();
}

void FarmSimulation::pauseFor(ProcessorId id, std::chrono::milliseconds time)
{
    if (!m_network.alive(id) || m_network.paused(id))
        return;
    m_network.pause(id);
    plan(time, [this, id] { m_network.resume(id); });
    if (time <= lostAfter || id == m_masterAt)
        return;
    const bool reachable = below(2) == 0;
    plan(lostAfter, [this, id, reachable] {
        if (reachable || id == m_masterAt)
            m_network.kill(id);
        else
            abandon(processor(id)); // when it wakes up, and has looked around a little
        giveUp(id, LossCause::Silent);
    });
}

/// The model of the failure hierarchy: a processor is given up, and a standby gets its rank.
void FarmSimulation::giveUp(ProcessorId id, LossCause cause)
{
    if (m_interregnum || m_network.paused(m_masterAt)) {
        plan(5ms, [this, id, cause] { giveUp(id, cause); });
        return;
    }
    if (std::exchange(processor(id).givenUp, true))
        return;
    if (m_copies)
        m_copies->lost(id);
    if (id == m_masterAt) {
        endTerm();
        return;
    }
    if (m_worlds.contains(processor(id).cluster)) {
        groupGivesUp(processor(id), cause);
        return;
    }
    if (cause == LossCause::Left)
        m_master->processorLeft(id);
    else
        m_master->processorLost(id);
    for (auto& [rank, seat] : m_seats) {
        if (seat.holder != id)
            continue;
        seat.holder.reset();
        m_master->rankLost(rank, seat.incarnation, cause);
        giveRankOn(rank);
    }
}

void FarmSimulation::giveRankOn(Rank rank)
{
    for (const Processor& candidate : m_processors) {
        const bool holds = std::ranges::any_of(m_seats, [&candidate](const auto& entry) {
            return entry.second.holder == candidate.id;
        });
        if (holds || candidate.givenUp || candidate.worker->over() || candidate.id == m_masterAt
            || candidate.cluster != 0)
            continue;
        Seat& seat = m_seats.at(rank);
        seat.holder = candidate.id;
        seat.incarnation = seat.incarnation.next();
        m_master->rankHeld(rank, candidate.id, seat.incarnation);
        give(candidate.id, {rank, seat.incarnation});
        return;
    }
}

/// A processor learns of its rank a little later than the master, as soon as it runs.
void FarmSimulation::give(ProcessorId id, HeldRank held)
{
    plan(within(20ms), [this, id, held] {
        if (m_network.paused(id))
            give(id, held);
        else if (m_network.alive(id))
            processor(id).worker->take(held);
    });
}

/// Who cannot work any more leaves the system.
void FarmSimulation::noticeLeaving()
{
    for (Processor& processor : m_processors) {
        if (processor.left || !processor.worker->over()
            || processor.worker->end() != WorkerEnd::Broken)
            continue;
        processor.left = true;
        plan(within(20ms), [this, id = processor.id] { giveUp(id, LossCause::Left); });
    }
}

void FarmSimulation::receive(Processor& processor, ProcessorId from, Message message)
{
    Result<Envelope> envelope = decode(message);
    if (!envelope) {
        complain("a message cannot be read");
        return;
    }
    if (const auto* const word = std::get_if<RecordWord>(&envelope->message)) {
        m_copies->receive(processor.id, from, *word);
        return;
    }
    if ((from == masterId) != (processor.id == masterId)) {
        ++m_masterLoad.messages;
        m_masterLoad.bytes += message.size();
    }
    const bool up = goesUp(envelope->message);
    const bool ofProcessor = std::holds_alternative<Left>(envelope->message)
        || std::holds_alternative<Broken>(envelope->message);
    if (m_scenario.sabotage == Sabotage::NoStanding) {
        if (auto* hello = std::get_if<Hello>(&envelope->message))
            hello->standing = {};
    }
    if (std::holds_alternative<Goodbye>(envelope->message)) {
        processor.dismissed = true;
        processor.groupScheduler.reset();
    }
    const bool forGroupScheduler = envelope->group
        ? !up
        : up && (processor.groupScheduler || processor.id != m_masterAt);
    if (forGroupScheduler) {
        if (ofProcessor && processor.id == m_masterAt)
            m_master->receive(from, *envelope);
        if (processor.groupScheduler)
            processor.groupScheduler->receive(from, std::move(*envelope));
        return;
    }
    if (!up) {
        if (std::holds_alternative<Welcome>(envelope->message)) {
            m_takeovers += envelope->held.incarnation > Incarnation(1) ? 1U : 0U;
            processor.welcomed = envelope->held;
        }
        if (m_scenario.sabotage == Sabotage::StaleResults)
            sabotage(processor, *envelope);
        processor.worker->receive(from, std::move(*envelope));
        return;
    }
    const Report* const report = std::get_if<Report>(&envelope->message);
    if (report && !report->finished.empty()) {
        m_oldResults[envelope->held.rank] = {envelope->held.incarnation,
                                             report->finished.back().result};
    }
    if (processor.id == m_masterAt)
        m_master->receive(from, std::move(*envelope));
}

/// Answers an assignment at once with a result of an earlier holder of the rank.
void FarmSimulation::sabotage(Processor& processor, const Envelope& envelope)
{
    const Assign* assign = std::get_if<Assign>(&envelope.message);
    const auto old = m_oldResults.find(envelope.held.rank);
    if (!assign || old == m_oldResults.end()
        || old->second.incarnation >= envelope.held.incarnation)
        return;
    ++m_staleResults;
    Report report;
    report.finished.push_back(
        {assign->tasks.front().key, SlotIndex(0), std::move(old->second.result)});
    m_oldResults.erase(old);
    m_network.at(processor.id)
        .send(masterId, encode({envelope.epoch, envelope.held, std::move(report)}));
}

SimulatedExecutor::Plan FarmSimulation::planAttempt(Processor& processor, const Launch& launch)
{
    for (const Processor& other : m_processors) {
        if (other.id != processor.id && !other.givenUp && m_network.alive(other.id)
            && other.executor && !other.worker->over() && other.executor->runs(launch.key))
            complain("an attempt runs in two places");
    }
    m_startedAgain += ++m_starts[launch.key] > 1 ? 1U : 0U;
    m_masterLoad.attempts += processor.id == masterId ? 1U : 0U;
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
    const ExecutionToken token{processor.welcomed.rank, m_journal.epoch(),
                               processor.welcomed.incarnation, ++m_serial};
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
    if (m_network.alive(m_masterAt) && !m_master->over())
        complain("the master does not end");
    if (m_operator)
        complain(m_operator->check(m_journal.record(), m_network.alive(m_masterAt)));
    checkPublished();
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
        if (!m_network.alive(processor.id) || m_network.paused(processor.id))
            continue;
        if (processor.executor && !processor.worker->over())
            processor.executor->poll();
        busy = processor.worker->poll() || busy;
        pollGroupScheduler(processor, busy);
    }
    noticeLeaving();
    if (m_copies)
        m_copies->step(masterWorks());
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
        if (!processor.executor || processor.worker->over() || !m_network.alive(processor.id)
            || m_network.paused(processor.id))
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
    if (!m_journal.stalled() || !m_master->gathered()) {
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
    return m_network.alive(m_masterAt) && !m_network.paused(m_masterAt) && !m_master->over();
}

bool FarmSimulation::allOver()
{
    if (!m_actions.empty())
        return false; // whoever is to be resumed must get the chance
    if (m_network.alive(m_masterAt) && !m_master->over())
        return false;
    return std::ranges::all_of(m_processors, [this](const Processor& processor) {
        return !m_network.alive(processor.id) || processor.worker->over();
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

ProcessorId FarmSimulation::anyWorker() { return ProcessorId(1 + below(m_scenario.ranks - 1)); }

} // namespace tasuki::farm::testing
