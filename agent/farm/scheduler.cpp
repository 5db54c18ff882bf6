// SPDX-License-Identifier: GPL-3.0-or-later
#include "scheduler.h"

#include <algorithm>
#include <cassert>
#include <cmath>

namespace tasuki::farm {

namespace {

/// @return whether nothing is to be done for a task when a life of the run begins
bool isDone(TaskState state) { return isFinal(state) || state == TaskState::Removed; }

/// Weight of the newest run time in the running mean.
constexpr double meanWeight = 0.125;

} // namespace

Scheduler::Scheduler(SchedulingPolicy policy) : m_policy(policy) {}

void Scheduler::add(const SchedulableTask& task)
{
    const TaskId id(static_cast<std::uint32_t>(m_entries.size()));
    Entry& added = m_entries.emplace_back();
    added.budget = task.budget;
    added.retriesUsed = task.retriesUsed;
    added.stage = task.stage;
    added.position = task.position;
    added.attempts = task.attempts;
    if (task.stage >= m_openByStage.size()) {
        m_openByStage.resize(task.stage + 1U);
        m_unblockedByStage.resize(task.stage + 1U);
    }
    for (const TaskId prerequisite : task.after)
        m_dependents[prerequisite.value()].push_back(id);
    if (isDone(task.state)) {
        added.state = State::Done;
        added.failed = task.state != TaskState::Succeeded;
        return;
    }
    open(added);
    added.openPrerequisites = static_cast<std::uint32_t>(task.after.size());
    if (task.state == TaskState::Held)
        added.state = State::Parked;
}

void Scheduler::begin()
{
    assert(!m_begun);
    m_begun = true;
    for (std::uint32_t i = 0; i < m_entries.size(); ++i) {
        const Entry& prerequisite = m_entries[i];
        const auto dependents = m_dependents.find(i);
        if (prerequisite.state != State::Done || dependents == m_dependents.end())
            continue;
        if (prerequisite.failed) {
            skipDependents(TaskId(i));
        } else {
            for (const TaskId dependent : dependents->second)
                settle(dependent);
        }
    }
    advanceStage();
    for (std::uint32_t i = 0; i < m_entries.size(); ++i)
        makeReadyIfUnblocked(TaskId(i));
}

void Scheduler::workerJoined(Rank rank, std::uint32_t slots)
{
    assert(slots > 0 && !m_workers.contains(rank));
    m_workers[rank].slots = slots;
    m_slotCount += slots;
}

void Scheduler::setOpen(Rank rank, bool open)
{
    Worker& worker = m_workers.at(rank);
    worker.open = open;
    worker.recallInVain = false;
}

std::vector<Scheduler::Held> Scheduler::workerLost(Rank rank)
{
    const auto worker = m_workers.find(rank);
    if (worker == m_workers.end())
        return {};
    m_slotCount -= worker->second.slots;
    m_workers.erase(worker);

    std::vector<Held> held;
    for (std::uint32_t i = 0; i < m_entries.size(); ++i) {
        Entry& task = m_entries[i];
        const TaskId id(i);
        if (task.holder != rank || (task.state != State::Assigned && task.state != State::Started))
            continue;
        held.push_back({keyOf(id), task.state == State::Started || task.condemned});
        if (!held.back().started)
            giveBack(id);
    }
    return held;
}

bool Scheduler::attemptStarted(Rank rank, AttemptKey key)
{
    if (!isHeldBy(rank, key) || entry(key.task).state != State::Assigned)
        return false;
    entry(key.task).state = State::Started;
    entry(key.task).awaited = false;
    return true;
}

std::optional<Verdict> Scheduler::attemptFinished(Rank rank, AttemptKey key, Outcome outcome,
                                                  std::chrono::microseconds elapsed, SteadyTime now)
{
    if (!isHeldBy(rank, key))
        return std::nullopt;
    Entry& task = entry(key.task);
    release(task);
    ++task.attempts;
    if (const auto worker = m_workers.find(rank); worker != m_workers.end()) {
        worker->second.recallInVain = false;
        const auto runTime = static_cast<double>(elapsed.count());
        double& mean = worker->second.meanElapsedUs;
        mean = mean < 0 ? runTime : mean + meanWeight * (runTime - mean);
    }
    task.awaited = false;
    const bool mayRunAgain = !std::exchange(task.condemned, false);
    if (mayRunAgain && outcome == Outcome::Interrupted) {
        queueAgain(key.task);
        return Verdict{Disposition::Requeue};
    }
    const std::optional<RetryCause> cause = retryCauseOf(outcome);
    if (mayRunAgain && cause) {
        std::uint16_t& used = task.retriesUsed[static_cast<std::size_t>(*cause)];
        if (used < task.budget.of(*cause)) {
            const bool blocked = task.openPrerequisites != 0;
            task.state = blocked ? State::Blocked : State::Waiting;
            if (!blocked)
                m_waiting.push({now + backoff(*cause, used), key.task, task.attempts});
            ++used;
            return Verdict{Disposition::Retry};
        }
    }
    finish(key.task, outcome == Outcome::Succeeded);
    return Verdict{Disposition::Final};
}

void Scheduler::returned(Rank rank, std::span<const AttemptKey> keys)
{
    bool any = false;
    for (const AttemptKey& key : keys) {
        if (!isHeldBy(rank, key) || entry(key.task).state != State::Assigned)
            continue;
        any = true;
        giveBack(key.task);
    }
    if (const auto worker = m_workers.find(rank); worker != m_workers.end()) {
        worker->second.recallUnderWay = false;
        worker->second.recallInVain = !any;
    }
}

std::vector<Assignment> Scheduler::assignments(SteadyTime now)
{
    assert(m_begun);
    wakeWaiting(now);
    std::vector<Assignment> out;
    if (m_held || m_readyCount == 0)
        return out;

    std::map<Rank, std::vector<AttemptKey>> handed;
    // Slots first, one to each worker in turn, so that nobody queues while another idles.
    for (bool any = true; any && m_readyCount != 0;) {
        any = false;
        for (auto& [rank, worker] : m_workers) {
            if (!worker.open || worker.idleSlots() == 0 || m_readyCount == 0)
                continue;
            hand(takeReady(), rank, worker, handed[rank]);
            any = true;
        }
    }
    for (auto& [rank, worker] : m_workers) {
        const std::uint32_t room = worker.open ? worker.slots + prefetchOf(worker) : 0;
        while (worker.outstanding < room && m_readyCount != 0)
            hand(takeReady(), rank, worker, handed[rank]);
    }
    out.reserve(handed.size());
    for (auto& [rank, keys] : handed)
        out.push_back({rank, std::move(keys)});
    return out;
}

std::vector<RecallOrder> Scheduler::recalls()
{
    std::vector<RecallOrder> orders;
    if (m_held)
        return orders;
    recallFromClosed(orders);
    if (m_readyCount != 0)
        return orders;
    std::uint32_t idle = 0;
    std::vector<std::pair<Rank, Worker*>> laden;
    for (auto& [rank, worker] : m_workers) {
        if (worker.recallUnderWay)
            return orders; // its answer may be all that is needed
        if (!worker.open)
            continue;
        idle += worker.idleSlots();
        if (worker.unstarted() > 0 && !worker.recallInVain)
            laden.emplace_back(rank, &worker);
    }
    if (idle == 0 || laden.empty())
        return orders;
    std::ranges::sort(laden, [](const auto& a, const auto& b) {
        return a.second->unstarted() > b.second->unstarted();
    });
    for (auto& [rank, worker] : laden) {
        const std::uint32_t count = (worker->unstarted() + 1) / 2;
        worker->recallUnderWay = true;
        orders.push_back({rank, count});
        if (count >= idle)
            break;
        idle -= count;
    }
    return orders;
}

/// Nothing that has not started waits at a worker that gets no work.
void Scheduler::recallFromClosed(std::vector<RecallOrder>& orders)
{
    for (auto& [rank, worker] : m_workers) {
        if (worker.open || worker.outstanding == 0 || worker.recallUnderWay || worker.recallInVain)
            continue;
        worker.recallUnderWay = true;
        orders.push_back({rank, worker.outstanding});
    }
}

std::vector<RecallOrder> Scheduler::recallAll()
{
    std::vector<RecallOrder> orders;
    for (auto& [rank, worker] : m_workers) {
        if (worker.outstanding == 0)
            continue;
        worker.recallUnderWay = true;
        orders.push_back({rank, worker.outstanding});
    }
    return orders;
}

std::vector<SkippedTask> Scheduler::takeSkipped() { return std::exchange(m_skipped, {}); }

std::optional<SteadyTime> Scheduler::nextReady() const
{
    return m_waiting.empty() ? std::nullopt : std::optional(m_waiting.top().until);
}

AttemptKey Scheduler::keyOf(TaskId id) const
{
    return {id, AttemptNumber(m_entries[id.value()].attempts + 1)};
}

bool Scheduler::isHeldBy(Rank rank, AttemptKey key) const
{
    if (key.task.value() >= m_entries.size())
        return false;
    const Entry& task = m_entries[key.task.value()];
    return (task.state == State::Assigned || task.state == State::Started) && task.holder == rank
        && key == keyOf(key.task);
}

void Scheduler::makeReadyIfUnblocked(TaskId id)
{
    Entry& task = entry(id);
    if (task.state != State::Blocked || task.openPrerequisites != 0)
        return;
    if (!startsNow(task)) {
        m_unblockedByStage[task.stage].push_back(id);
        return;
    }
    makeReady(id);
}

void Scheduler::makeReady(TaskId id)
{
    Entry& task = entry(id);
    task.state = State::Ready;
    m_ready.push(task.position, id);
    ++m_readyCount;
}

/// Precondition: m_readyCount != 0.
TaskId Scheduler::takeReady()
{
    // What was parked since it became ready is still in the queue; what was made ready again since
    // is there twice.
    TaskId id = m_ready.pop();
    while (entry(id).state != State::Ready)
        id = m_ready.pop();
    --m_readyCount;
    return id;
}

/// A worker does not hold an unstarted attempt any more.
void Scheduler::giveBack(TaskId id)
{
    Entry& task = entry(id);
    release(task);
    if (std::exchange(task.awaited, false))
        task.state = State::Parked;
    else
        queueAgain(id);
}

/// The task is no longer at a worker and not done.
void Scheduler::queueAgain(TaskId id)
{
    entry(id).state = State::Blocked;
    makeReadyIfUnblocked(id);
}

/// The task does not wait for one of its prerequisites any more.
void Scheduler::settle(TaskId dependent)
{
    Entry& task = entry(dependent);
    if (task.state != State::Done && task.openPrerequisites != 0)
        --task.openPrerequisites;
}

/// The task is to be done.
void Scheduler::open(Entry& task)
{
    task.state = State::Blocked;
    task.failed = false;
    ++m_unfinished;
    ++m_openByStage[task.stage];
    if (startsNow(task))
        ++m_openInBegunStages;
}

void Scheduler::release(Entry& task)
{
    --m_outstanding;
    if (const auto worker = m_workers.find(task.holder); worker != m_workers.end())
        --worker->second.outstanding;
    task.holder = Rank(-1);
}

void Scheduler::finish(TaskId id, bool succeeded)
{
    entry(id).failed = !succeeded;
    retire(id);
    if (!succeeded) {
        skipDependents(id);
    } else if (const auto found = m_dependents.find(id.value()); found != m_dependents.end()) {
        for (const TaskId dependent : found->second) {
            settle(dependent);
            makeReadyIfUnblocked(dependent);
        }
    }
    advanceStage();
}

void Scheduler::skipDependents(TaskId failed)
{
    std::vector<TaskId> causes{failed};
    while (!causes.empty()) {
        const TaskId cause = causes.back();
        causes.pop_back();
        const auto found = m_dependents.find(cause.value());
        if (found == m_dependents.end())
            continue;
        for (const TaskId dependent : found->second) {
            const State state = entry(dependent).state;
            if (state != State::Blocked && state != State::Parked) {
                settle(dependent); // at a worker since before the prerequisite was reopened
                continue;
            }
            entry(dependent).failed = true;
            retire(dependent);
            m_skipped.push_back({dependent, cause});
            causes.push_back(dependent);
        }
    }
}

void Scheduler::retire(TaskId id)
{
    Entry& task = entry(id);
    task.state = State::Done;
    --m_unfinished;
    --m_openByStage[task.stage];
    if (startsNow(task))
        --m_openInBegunStages;
}

void Scheduler::advanceStage()
{
    while (m_stage + 1 < m_openByStage.size() && m_openInBegunStages == 0) {
        ++m_stage;
        m_openInBegunStages = m_openByStage[m_stage];
        for (const TaskId id : std::exchange(m_unblockedByStage[m_stage], {}))
            makeReadyIfUnblocked(id);
    }
}

void Scheduler::wakeWaiting(SteadyTime now)
{
    while (!m_waiting.empty() && m_waiting.top().until <= now) {
        const WaitingTask waiting = m_waiting.top();
        m_waiting.pop();
        const Entry& task = entry(waiting.id);
        if (task.state == State::Waiting && task.attempts == waiting.attempts)
            makeReady(waiting.id);
    }
}

std::chrono::milliseconds Scheduler::backoff(RetryCause cause, std::uint16_t used) const
{
    if (cause == RetryCause::ProcessorLost)
        return std::chrono::milliseconds::zero(); // the task is not to blame
    constexpr std::uint16_t mostDoublings = 20;
    return std::min(m_policy.firstBackoff * (1L << std::min(used, mostDoublings)),
                    m_policy.longestBackoff);
}

std::uint32_t Scheduler::prefetchOf(const Worker& worker) const
{
    double wanted = worker.slots;
    if (worker.meanElapsedUs >= 0) {
        const auto horizon = static_cast<double>(m_policy.horizon.count());
        wanted = worker.slots * std::ceil(horizon / std::max(worker.meanElapsedUs, 1.0));
    }
    // A worker's share of half of what is ready, so that the end of the list is dealt one by one.
    const double share = static_cast<double>(m_readyCount) * worker.slots
        / (2.0 * static_cast<double>(m_slotCount));
    return static_cast<std::uint32_t>(
        std::min({wanted, std::floor(share), static_cast<double>(m_policy.maxPrefetch)}));
}

void Scheduler::hand(TaskId id, Rank rank, Worker& worker, std::vector<AttemptKey>& keys)
{
    Entry& task = entry(id);
    task.state = State::Assigned;
    task.holder = rank;
    ++worker.outstanding;
    ++m_outstanding;
    keys.push_back(keyOf(id));
}

} // namespace tasuki::farm
