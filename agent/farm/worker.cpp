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
/// A master is given up after so many times that silence.
constexpr int masterPatience = 3;
/// A worker that was stopped for half the limit starts nothing for so many beats: if it was given
/// up, the master's word of that reaches it by then, and its tasks run elsewhere already.
constexpr int beatsOfCaution = 2;
/// Longer than this between two polls: this process was stopped, not the master silent.
constexpr std::chrono::milliseconds ownLateness{500};

} // namespace

Worker::Worker(WorkerIdentity identity, Transport& transport, const Clock& clock, Rank master,
               ExecutorFactory makeExecutor)
    : m_identity(std::move(identity)),
      m_transport(transport),
      m_clock(clock),
      m_master(master),
      m_makeExecutor(std::move(makeExecutor))
{
    assert(m_identity.slotCount > 0);
}

Worker::~Worker() = default;

void Worker::start()
{
    m_lastHeard = m_lastPoll = m_clock.now();
    sayHello();
}

void Worker::receive(Envelope envelope)
{
    m_lastHeard = m_clock.now();
    if (std::holds_alternative<Welcome>(envelope.message)) {
        if (m_phase != Phase::Greeting || envelope.incarnation <= m_incarnation)
            return;
        m_epoch = envelope.epoch;
        m_incarnation = envelope.incarnation;
    } else if (envelope.epoch != m_epoch || envelope.incarnation != m_incarnation) {
        return; // of an earlier life
    }
    std::visit([this](auto&& message) { on(std::move(message)); }, std::move(envelope.message));
}

bool Worker::poll()
{
    const SteadyTime now = m_clock.now();
    noteLateness(now);
    m_lastPoll = now;
    if (m_phase == Phase::Over)
        return false;
    if (m_phase != Phase::Leaving && now - m_lastHeard > masterPatience * m_lostAfter) {
        abandon();
        return false;
    }
    if (m_phase != Phase::Working)
        return false;
    if (reportIsDue()) {
        report();
        return true;
    }
    if (now - m_lastSent >= m_lostAfter / beatsPerLimit)
        send(Beat{});
    fillSlots();
    return false;
}

void Worker::abandon()
{
    if (m_phase != Phase::Leaving && m_phase != Phase::Over)
        leave(WorkerEnd::Abandoned);
}

void Worker::on(Welcome&& message)
{
    m_lostAfter = message.lostAfter;
    m_freeSlots.clear();
    for (std::uint32_t slot = m_identity.slotCount; slot-- > 0;)
        m_freeSlots.push_back(SlotIndex(slot)); // slot 0 on top
    if (!m_executor) {
        m_executor = m_makeExecutor(message, m_epoch);
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
             .failed =
                 [this](std::string reason) {
                     if (m_phase == Phase::Leaving || m_phase == Phase::Over)
                         return;
                     send(Broken{std::move(reason)});
                     leave(WorkerEnd::Broken);
                 }});
    }
    m_phase = Phase::Working;
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
            m_executor->stop(key, StopReason::Cancelled);
    }
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
    giveBack(m_queue.size());
    m_executor->stopAll(StopReason::Interrupted, [] {});
}

void Worker::on(Fence&&)
{
    if (m_phase != Phase::Working)
        return;
    m_phase = Phase::Fenced;
    m_queue.clear();
    m_running.clear();
    m_unreported.clear();
    m_executor->stopAll(StopReason::Interrupted, [this] {
        if (m_phase == Phase::Fenced)
            sayHello();
    });
}

void Worker::on(Goodbye&& message)
{
    m_losses = message.losses;
    if (m_phase == Phase::Working || m_phase == Phase::Fenced)
        leave(WorkerEnd::Dismissed);
}

void Worker::sayHello()
{
    m_phase = Phase::Greeting;
    send(Hello{.host = m_identity.host,
               .hostKey = m_identity.hostKey,
               .pid = m_identity.pid,
               .slotCount = m_identity.slotCount});
}

void Worker::noteLateness(SteadyTime now)
{
    const auto late = now - m_lastPoll;
    if (late > ownLateness)
        m_lastHeard = std::min(now, m_lastHeard + late);
    if (late > m_lostAfter / 2)
        m_heldUntil = now + beatsOfCaution * (m_lostAfter / beatsPerLimit);
}

void Worker::fillSlots()
{
    if (m_queue.empty() || m_freeSlots.empty())
        return;
    const SteadyTime now = m_clock.now();
    noteLateness(now);
    if (now < m_heldUntil)
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
                           .settings = std::move(task.settings)});
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
        return; // forgotten by a Fence
    if (m_unreported.empty())
        m_oldestUnreported = m_clock.now();
    m_freeSlots.push_back(found->second.slot);
    m_unreported.push_back({key, found->second.slot, std::move(result)});
    m_running.erase(found);
    if (m_phase == Phase::Working)
        fillSlots();
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
    send(std::move(report));
}

void Worker::leave(WorkerEnd end)
{
    m_phase = Phase::Leaving;
    m_end = end;
    m_queue.clear();
    const auto leaveNow = [this] {
        if (m_end == WorkerEnd::Dismissed)
            send(Left{});
        m_phase = Phase::Over;
    };
    if (m_executor && m_end != WorkerEnd::Broken)
        m_executor->stopAll(StopReason::Interrupted, leaveNow);
    else
        leaveNow();
}

void Worker::send(FarmMessage message)
{
    m_lastSent = m_clock.now();
    m_transport.send(m_master, encode({m_epoch, m_incarnation, std::move(message)}));
}

} // namespace tasuki::farm
