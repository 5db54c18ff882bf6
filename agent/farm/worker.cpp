// SPDX-License-Identifier: GPL-3.0-or-later
#include "worker.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <set>
#include <utility>

namespace tasuki::farm {

namespace {

/// Ends are gathered for this long before they are reported, unless the worker runs short of work.
constexpr std::chrono::milliseconds reportDelay{2};
/// Ends that make a report due at once.
constexpr std::size_t fullReport = 512;
/// Captured output that makes a report due at once.
constexpr std::size_t largeOutputBytes = 1U << 20U;
/// A worker that was stopped starts nothing for so long: if it was given up meanwhile, it hears of
/// that by then, and its tasks run elsewhere already.
constexpr std::chrono::milliseconds cautiousFor{200};

} // namespace

Worker::Worker(WorkerIdentity identity, Transport& transport, const Clock& clock,
               ProcessorId master, ExecutorFactory makeExecutor)
    : m_identity(std::move(identity)),
      m_transport(transport),
      m_clock(clock),
      m_master(master),
      m_chief(master),
      m_makeExecutor(std::move(makeExecutor)),
      m_output(m_identity.epoch, transport),
      m_onHold(m_identity.holding)
{
    assert(m_identity.slotCount > 0);
}

Worker::~Worker() = default;

void Worker::take(HeldRank held)
{
    switch (m_phase) {
    case Phase::Waiting:
        m_held = held;
        m_leadership = {};
        m_phase = Phase::Greeting;
        greetAnew();
        break;
    case Phase::Greeting:
    case Phase::Working:
    case Phase::Rejoining:
        if (held == m_held)
            return;
        drop();
        m_next = held;
        settle();
        break;
    case Phase::Dropping: m_next = held; break;
    case Phase::Leaving:
    case Phase::Over: break;
    }
}

void Worker::drop()
{
    m_next.reset();
    if (m_phase == Phase::Greeting)
        m_phase = Phase::Waiting;
    if (!works())
        return;
    m_phase = Phase::Dropping;
    m_resultsDropped = standing().ended.size();
    m_queue.clear();
    m_running.clear();
    m_onHold.clear();
    m_unreported.clear();
    m_startUnreported = false;
    m_kept.clear();
    m_words.clear();
    m_executor->stopAll(StopReason::Interrupted, [this] {
        if (m_phase != Phase::Dropping)
            return;
        m_phase = Phase::Waiting;
        settle();
    });
}

/// The last rank is dealt with: the next one can be taken.
void Worker::settle()
{
    if (m_phase == Phase::Waiting && m_next)
        take(*std::exchange(m_next, std::nullopt));
}

bool Worker::hasStopped(const HeldRank& held) const
{
    switch (m_phase) {
    case Phase::Waiting:
    case Phase::Over: return true;
    case Phase::Greeting:
    case Phase::Working:
    case Phase::Rejoining: return m_held != held;
    case Phase::Dropping:
    case Phase::Leaving: return false;
    }
    return false;
}

void Worker::setChief(ProcessorId chief)
{
    if (chief == m_chief)
        return;
    m_chief = chief;
    m_leadership = {};
    if (m_phase == Phase::Working)
        m_phase = Phase::Rejoining;
    if (m_phase == Phase::Greeting || m_phase == Phase::Rejoining)
        greetAnew();
}

void Worker::receive(ProcessorId from, Envelope envelope)
{
    if (envelope.epoch != m_identity.epoch)
        return; // of an earlier life
    if (auto* goodbye = std::get_if<Goodbye>(&envelope.message)) {
        if (from == m_master)
            on(std::move(*goodbye));
        return;
    }
    if (const auto* fetch = std::get_if<FetchOutput>(&envelope.message)) {
        m_output.fetch(from, *fetch, m_executor.get());
        return;
    }
    if (const auto* release = std::get_if<ReleaseOutput>(&envelope.message)) {
        if (m_executor)
            m_executor->release(release->key);
        return;
    }
    m_words.take([this, from, envelope = std::move(envelope)]() mutable {
        receiveOfChief(from, std::move(envelope));
    });
}

void Worker::receiveOfChief(ProcessorId from, Envelope&& envelope)
{
    const bool holds = m_phase == Phase::Greeting || works();
    if (from != m_chief || !holds || envelope.held != m_held)
        return;
    if (const auto* resyncCall = std::get_if<ResyncCall>(&envelope.message))
        onResyncCall(*resyncCall, envelope.leadership);
    else if (envelope.leadership == m_leadership)
        std::visit([this](auto&& message) { on(std::move(message)); }, std::move(envelope.message));
}

bool Worker::poll()
{
    const SteadyTime now = m_clock.now();
    noteLateness(now);
    m_lastPoll = now;
    noteDueEnds();
    if (isHeldUp(now))
        return false;
    const bool greets = m_phase == Phase::Greeting || m_phase == Phase::Rejoining;
    const bool due = greets ? m_hellos.isDue(now) : m_phase == Phase::Working && reportIsDue();
    if (due && greets)
        sayHello();
    else if (due)
        report();
    else if (works())
        fillSlots();
    else if (m_phase == Phase::Greeting && m_identity.expected)
        prepareExecutor(*m_identity.expected);
    return due;
}

void Worker::abandon()
{
    if (m_phase != Phase::Leaving && m_phase != Phase::Over)
        leave(WorkerEnd::Abandoned);
}

void Worker::interruptionHeard(Interruption interruption)
{
    m_onHold.heard(interruption);
    noteDueEnds();
}

void Worker::onResyncCall(const ResyncCall& message, LeadershipNumber leadership)
{
    const std::pair call(message.era, leadership);
    if (call <= m_newestCall)
        return; // it has been answered, or is of a group scheduler who does not know yet that it is none
    m_newestCall = call;
    m_leadership = leadership;
    if (m_phase == Phase::Working)
        m_phase = Phase::Rejoining;
    greetAnew();
}

void Worker::on(Welcome&& message)
{
    if (m_phase == Phase::Rejoining) {
        m_phase = Phase::Working;
        reportAgain();
        return;
    }
    if (m_phase != Phase::Greeting)
        return;
    m_freeSlots.clear();
    for (std::uint32_t slot = m_identity.slotCount; slot-- > 0;)
        m_freeSlots.push_back(SlotIndex(slot)); // slot 0 on top
    prepareExecutor(message);
    m_phase = Phase::Working;
}

void Worker::prepareExecutor(const Welcome& welcome)
{
    if (!m_executor || m_executorRank != m_held.rank || m_executorRun != welcome)
        makeExecutor(welcome);
}

void Worker::makeExecutor(const Welcome& welcome)
{
    m_executor.reset();
    m_output.executorGone();
    m_executor = m_makeExecutor(m_held.rank, welcome);
    m_executorRank = m_held.rank;
    m_executorRun = welcome;
    m_executor->setCallbacks(
        {.started =
             [this](AttemptKey key, WallTime startedAt) {
                 if (const auto found = m_running.find(key); found != m_running.end()) {
                     found->second.startedAt = startedAt;
                     m_startUnreported = true;
                 }
             },
         .finished = [this](AttemptKey key,
                            AttemptResult result) { attemptFinished(key, std::move(result)); },
         .failed = [this](std::string reason) { executorFailed(std::move(reason)); }});
}

void Worker::executorFailed(std::string reason)
{
    if (m_phase == Phase::Leaving || m_phase == Phase::Over)
        return;
    if (m_phase == Phase::Greeting) {
        m_identity.expected.reset();
        m_executorRank = Rank(-1); // made anew when there is somebody to be told of a failure
        return;
    }
    // Its chief gives the work to others, the master records why.
    send(Broken{reason});
    if (m_chief != m_master)
        sendTo(m_master, {m_identity.epoch, m_held, Broken{std::move(reason)}});
    leave(WorkerEnd::Broken);
}

void Worker::on(Assign&& message)
{
    if (m_phase != Phase::Working)
        return;
    std::ranges::move(message.tasks, std::back_inserter(m_queue));
    fillSlots();
}

void Worker::on(Recall&& message)
{
    if (m_phase == Phase::Working)
        giveBack(message.count);
}

void Worker::on(Withdraw&& message)
{
    if (m_phase != Phase::Working)
        return;
    const std::set<AttemptKey> wanted(message.keys.begin(), message.keys.end());
    Withdrawn given;
    std::erase_if(m_queue, [&](const AssignedTask& task) {
        if (!wanted.contains(task.key))
            return false;
        given.keys.push_back(task.key);
        return true;
    });
    send(std::move(given));
}

void Worker::on(Stop&& message)
{
    if (m_phase != Phase::Working)
        return;
    for (const AttemptKey& key : message.keys) {
        if (m_running.contains(key))
            m_executor->stop(key, message.reason);
    }
    if (message.reason != StopReason::Interrupted)
        return;
    // What has not started ends here: the others of its world have begun.
    const std::set<AttemptKey> stopped(message.keys.begin(), message.keys.end());
    std::erase_if(m_queue, [&](const AssignedTask& task) {
        if (!stopped.contains(task.key))
            return false;
        AttemptResult result;
        result.outcome = Outcome::Interrupted;
        noteEnd({.key = task.key, .slot = {}, .result = std::move(result)});
        return true;
    });
}

void Worker::on(Peek&& message)
{
    if (m_phase != Phase::Working)
        return;
    m_executor->peek(message.query, [this, number = message.number](OutputAnswer answer) {
        if (m_phase == Phase::Working)
            send(Peeked{.number = number, .answer = std::move(answer)});
    });
}

void Worker::on(Halt&&)
{
    if (m_phase != Phase::Working)
        return;
    interruptionHeard(Interruption::Killing);
    giveBack(m_queue.size());
    m_executor->stopAll(StopReason::Interrupted, [] {});
}

void Worker::on(Warn&& message)
{
    if (m_phase != Phase::Working)
        return;
    for (const AttemptKey& key : message.keys) {
        if (m_running.contains(key))
            m_executor->signal(key, message.signalNumber);
    }
}

void Worker::on(Noted&& message)
{
    while (!m_kept.empty() && m_kept.front().number <= message.upTo)
        m_kept.pop_front();
}

void Worker::on(Goodbye&& message)
{
    m_losses = message.losses;
    if (m_phase != Phase::Leaving && m_phase != Phase::Over)
        leave(WorkerEnd::Dismissed);
}

/// Somebody else is greeted, or for another reason: the first Hello of its kind.
void Worker::greetAnew()
{
    m_hellos.restart();
    sayHello();
}

void Worker::sayHello()
{
    if (m_words.held())
        return; // due when it is not any more
    m_hellos.said(m_clock.now());
    send(Hello{.host = m_identity.host,
               .pid = m_identity.pid,
               .slotCount = m_identity.slotCount,
               .standing = m_leadership == LeadershipNumber{} ? Standing{} : standing()});
}

Standing Worker::standing() const
{
    Standing standing;
    for (const auto& [key, attempt] : m_running)
        standing.running.push_back(key);
    for (const AssignedTask& task : m_queue)
        standing.queued.push_back(task.key);
    for (const KeptReport& report : m_kept)
        standing.ended.insert(standing.ended.end(), report.ended.begin(), report.ended.end());
    for (const FinishedAttempt& attempt : m_unreported)
        standing.ended.push_back(attempt.key);
    for (const FinishedAttempt& attempt : m_onHold.held())
        standing.ended.push_back(attempt.key);
    return standing;
}

void Worker::noteLateness(SteadyTime now)
{
    if (m_lastPoll && now - *m_lastPoll > m_identity.cautiousAfter)
        m_heldUntil = now + cautiousFor;
}

void Worker::fillSlots()
{
    if (m_queue.empty() || m_freeSlots.empty() || m_onHold.interruption() == Interruption::Killing)
        return;
    const SteadyTime now = m_clock.now();
    noteLateness(now);
    if (isHeldUp(now))
        return;
    while (!m_queue.empty() && !m_freeSlots.empty()) {
        AssignedTask task = std::move(m_queue.front());
        m_queue.pop_front();
        const SlotIndex slot = m_freeSlots.back();
        m_freeSlots.pop_back();
        m_running.emplace(task.key, RunningAttempt{.slot = slot, .startedAt = {}});
        m_executor->start({.key = task.key,
                           .slot = slot,
                           .command = std::move(task.command),
                           .settings = std::move(task.settings),
                           .world = std::move(task.world)});
    }
}

void Worker::giveBack(std::size_t count)
{
    Returned returned;
    for (; count > 0 && !m_queue.empty(); --count) {
        returned.keys.push_back(m_queue.back().key);
        m_queue.pop_back();
    }
    send(std::move(returned));
}

void Worker::attemptFinished(AttemptKey key, AttemptResult result)
{
    const auto found = m_running.find(key);
    if (found == m_running.end())
        return; // forgotten with its rank
    const SlotIndex slot = found->second.slot;
    m_freeSlots.push_back(slot);
    m_running.erase(found);
    if (auto end = m_onHold.take({key, slot, std::move(result)}, m_clock.now()))
        noteEnd(std::move(*end));
    if (works())
        fillSlots();
}

void Worker::noteEnd(FinishedAttempt end)
{
    if (m_unreported.empty())
        m_oldestUnreported = m_clock.now();
    m_unreported.push_back(std::move(end));
}

void Worker::noteDueEnds()
{
    if (m_onHold.held().empty())
        return;
    for (FinishedAttempt& end : m_onHold.due(m_clock.now()))
        noteEnd(std::move(end));
}

bool Worker::reportIsDue() const
{
    if (m_unreported.empty())
        return m_startUnreported;
    if (m_queue.empty() || m_unreported.size() >= fullReport)
        return true;
    if (m_clock.now() - m_oldestUnreported >= reportDelay)
        return true;
    std::size_t outputBytes = 0;
    for (const FinishedAttempt& attempt : m_unreported) {
        outputBytes += attempt.result.standardOutput.head.size()
            + attempt.result.standardError.head.size();
    }
    return outputBytes >= largeOutputBytes;
}

void Worker::report()
{
    Report report;
    for (auto& [key, attempt] : m_running) {
        if (attempt.reported || !attempt.startedAt)
            continue;
        attempt.reported = true;
        report.started.push_back({key, attempt.slot, *attempt.startedAt});
    }
    report.finished = std::exchange(m_unreported, {});
    m_startUnreported = false;
    // Who leads it may die before the record has it.
    KeptReport kept{.number = ++m_lastReport, .message = {}, .ended = {}};
    for (const FinishedAttempt& attempt : report.finished)
        kept.ended.push_back(attempt.key);
    report.number = kept.number;
    kept.message = encode({.epoch = m_identity.epoch,
                           .held = m_held,
                           .message = std::move(report),
                           .leadership = m_leadership});
    m_transport.send(m_chief, kept.message);
    m_kept.push_back(std::move(kept));
}

/// The chief is another one, or takes up its work anew: what the last one has not noted, and what
/// runs.
void Worker::reportAgain()
{
    for (const KeptReport& kept : m_kept) {
        Result<Envelope> envelope = decode(kept.message);
        assert(envelope.ok());
        envelope->leadership = m_leadership;
        sendTo(m_chief, std::move(*envelope));
    }
    for (auto& [key, attempt] : m_running) {
        attempt.reported = false;
        m_startUnreported = m_startUnreported || attempt.startedAt.has_value();
    }
}

void Worker::leave(WorkerEnd end)
{
    m_phase = Phase::Leaving;
    m_end = end;
    m_queue.clear();
    const auto leaveNow = [this] {
        if (m_end == WorkerEnd::Dismissed)
            sendTo(m_master, {m_identity.epoch, m_held, Left{}});
        m_phase = Phase::Over;
    };
    if (m_executor && m_end != WorkerEnd::Broken)
        m_executor->stopAll(StopReason::Interrupted, leaveNow);
    else
        leaveNow();
}

void Worker::send(FarmMessage message)
{
    sendTo(m_chief,
           {.epoch = m_identity.epoch,
            .held = m_held,
            .message = std::move(message),
            .leadership = m_leadership});
}

void Worker::sendTo(ProcessorId processor, Envelope envelope)
{
    m_transport.send(processor, encode(std::move(envelope)));
}

} // namespace tasuki::farm
