// SPDX-License-Identifier: GPL-3.0-or-later
#include "scheduler.h"

#include <algorithm>
#include <cassert>

namespace tasuki::farm {

namespace {

/// @return whether nothing is to be done for a task when a life of the run begins
bool isDone(TaskState state) { return isFinal(state) || state == TaskState::Removed; }

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
    for (const SharedGroup& group : task.after) {
        const Gate& gate = m_gates.addDependent(group, id);
        added.shutGates += gate.counted && gate.shut() ? 1U : 0U;
    }
    if (isDone(task.state)) {
        added.state = State::Done;
        added.failed = task.state != TaskState::Succeeded;
        return;
    }
    open(added);
    if (task.state == TaskState::Held)
        added.state = State::Parked;
    else if (task.state == TaskState::Running)
        added.state = State::Started; // whatever became of what it came after, it has begun
}

void Scheduler::begin()
{
    assert(!m_begun);
    m_begun = true;
    countGates();
    for (std::uint32_t i = 0; i < m_entries.size(); ++i) {
        if (m_entries[i].state == State::Done && m_entries[i].failed)
            skipDependents(TaskId(i));
    }
    advanceStage();
    for (std::uint32_t i = 0; i < m_entries.size(); ++i)
        makeReadyIfUnblocked(TaskId(i));
}

void Scheduler::crewJoined(CrewId crew, std::uint32_t slots)
{
    assert(!m_crews.contains(crew));
    m_crews[crew].slots = slots;
    m_slotCount += slots;
}

void Scheduler::setSlots(CrewId crew, std::uint32_t slots)
{
    Load& load = m_crews.at(crew);
    m_slotCount += slots;
    m_slotCount -= std::exchange(load.slots, slots);
    load.recallInVain = false;
}

void Scheduler::setOpen(CrewId crew, bool open)
{
    Load& load = m_crews.at(crew);
    load.open = open;
    load.recallInVain = false;
}

void Scheduler::setAway(CrewId crew, bool away)
{
    Load& load = m_crews.at(crew);
    load.away = away;
    load.recallUnderWay = false;
    load.recallInVain = false;
}

std::vector<Scheduler::Held> Scheduler::heldBy(CrewId crew) const
{
    std::vector<Held> held;
    for (std::uint32_t i = 0; i < m_entries.size(); ++i) {
        const Entry& task = m_entries[i];
        if (task.holder == crew && (task.state == State::Assigned || task.state == State::Started))
            held.push_back({.key = keyOf(TaskId(i)),
                            .started = task.state == State::Started || task.condemned,
                            .condemned = task.condemned});
    }
    return held;
}

std::vector<Scheduler::Held> Scheduler::crewLost(CrewId crew)
{
    const auto load = m_crews.find(crew);
    if (load == m_crews.end())
        return {};
    m_slotCount -= load->second.slots;
    m_crews.erase(load);

    std::vector<Held> held = heldBy(crew);
    for (const Held& attempt : held) {
        if (!attempt.started)
            giveBack(attempt.key.task);
    }
    return held;
}

bool Scheduler::adopt(CrewId crew, AttemptKey key, bool started)
{
    if (key.task.value() >= m_entries.size() || key != keyOf(key.task))
        return false;
    Entry& task = entry(key.task);
    switch (task.state) {
    case State::Ready: --m_readyCount; break;
    case State::Blocked:
    case State::Waiting: break;
    case State::Started:
        if (task.holder != Entry().holder)
            return false;
        break;
    default: return false;
    }
    task.state = started ? State::Started : State::Assigned;
    task.holder = crew;
    ++m_crews.at(crew).outstanding;
    ++m_outstanding;
    return true;
}

bool Scheduler::attemptStarted(CrewId crew, AttemptKey key)
{
    if (!isHeldBy(crew, key) || entry(key.task).state != State::Assigned)
        return false;
    entry(key.task).state = State::Started;
    entry(key.task).awaited = false;
    return true;
}

std::optional<Verdict> Scheduler::attemptEnded(CrewId crew, AttemptKey key, Outcome outcome,
                                               std::chrono::microseconds elapsed)
{
    if (!isHeldBy(crew, key))
        return std::nullopt;
    Entry& task = entry(key.task);
    release(task);
    ++task.attempts;
    if (const auto load = m_crews.find(crew); load != m_crews.end())
        load->second.noteEnd(elapsed);
    task.awaited = false;
    const bool mayRunAgain = !std::exchange(task.condemned, false);
    const std::optional<RetryCause> cause = retryCauseOf(outcome);
    task.state = State::Ended;
    ++m_unrecordedEnds;
    task.disposition = Disposition::Final;
    if (mayRunAgain && outcome == Outcome::Interrupted) {
        task.disposition = Disposition::Requeue;
    } else if (mayRunAgain && cause) {
        std::uint16_t& used = task.retriesUsed[static_cast<std::size_t>(*cause)];
        if (used < task.budget.of(*cause)) {
            ++used;
            task.cause = *cause;
            task.disposition = Disposition::Retry;
        }
    }
    task.failed = task.disposition == Disposition::Final && outcome != Outcome::Succeeded;
    return Verdict{task.disposition};
}

void Scheduler::endRecorded(TaskId id, SteadyTime now)
{
    Entry& task = entry(id);
    if (task.state != State::Ended)
        return;
    --m_unrecordedEnds;
    switch (task.disposition) {
    case Disposition::Requeue: queueAgain(id); break;
    case Disposition::Retry: tryAgain(id, now); break;
    case Disposition::Final: finish(id, !task.failed); break;
    }
}

void Scheduler::tryAgain(TaskId id, SteadyTime now)
{
    Entry& task = entry(id);
    if (task.shutGates != 0) {
        task.state = State::Blocked;
        return;
    }
    task.state = State::Waiting;
    const std::uint16_t used = task.retriesUsed[static_cast<std::size_t>(task.cause)];
    m_waiting.push(
        {now + backoff(task.cause, static_cast<std::uint16_t>(used - 1U)), id, task.attempts});
}

void Scheduler::returned(CrewId crew, std::span<const AttemptKey> keys)
{
    const bool any = handedBack(crew, keys);
    if (const auto load = m_crews.find(crew); load != m_crews.end())
        load->second.noteAnswer(any);
}

bool Scheduler::handedBack(CrewId crew, std::span<const AttemptKey> keys)
{
    bool any = false;
    for (const AttemptKey& key : keys) {
        if (!isHeldBy(crew, key) || entry(key.task).state != State::Assigned)
            continue;
        any = true;
        giveBack(key.task);
    }
    return any;
}

std::vector<Assignment> Scheduler::assignments(SteadyTime now)
{
    assert(m_begun);
    wakeWaiting(now);
    std::vector<Assignment> out;
    if (m_held || m_readyCount == 0)
        return out;

    std::map<CrewId, std::vector<AttemptKey>> handed;
    // Slots first, one to each crew in turn, so that nobody queues while another idles.
    for (bool any = true; any && m_readyCount != 0;) {
        any = false;
        for (auto& [crew, load] : m_crews) {
            if (!load.fed() || load.idleSlots() == 0 || m_readyCount == 0)
                continue;
            hand(takeReady(), crew, load, handed[crew]);
            any = true;
        }
    }
    for (auto& [crew, load] : m_crews) {
        if (!load.fed())
            continue;
        const std::uint32_t room = load.slots
            + prefetchOf(load, m_policy.feeding, m_readyCount, m_slotCount);
        while (load.outstanding < room && m_readyCount != 0)
            hand(takeReady(), crew, load, handed[crew]);
    }
    out.reserve(handed.size());
    for (auto& [crew, keys] : handed)
        out.push_back({crew, std::move(keys)});
    return out;
}

std::vector<RecallOrder> Scheduler::recalls()
{
    if (m_held)
        return {};
    Recalls<CrewId> recalls;
    recallFromClosed(m_crews, recalls);
    if (m_readyCount == 0)
        recallForIdle(m_crews, recalls);
    std::vector<RecallOrder> orders;
    orders.reserve(recalls.size());
    for (const auto& [crew, count] : recalls)
        orders.push_back({crew, count});
    return orders;
}

std::vector<RecallOrder> Scheduler::recallAll()
{
    std::vector<RecallOrder> orders;
    for (auto& [crew, load] : m_crews) {
        if (load.outstanding == 0 || load.away)
            continue;
        load.recallUnderWay = true;
        orders.push_back({crew, load.outstanding});
    }
    return orders;
}

std::uint32_t Scheduler::outstanding(CrewId crew) const
{
    const auto load = m_crews.find(crew);
    return load == m_crews.end() ? 0 : load->second.outstanding;
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

bool Scheduler::isHeldBy(CrewId crew, AttemptKey key) const
{
    if (key.task.value() >= m_entries.size())
        return false;
    const Entry& task = m_entries[key.task.value()];
    return (task.state == State::Assigned || task.state == State::Started) && task.holder == crew
        && key == keyOf(key.task);
}

void Scheduler::makeReadyIfUnblocked(TaskId id)
{
    Entry& task = entry(id);
    if (task.state != State::Blocked || task.shutGates != 0)
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

/// A crew does not hold an unstarted attempt any more.
void Scheduler::giveBack(TaskId id)
{
    Entry& task = entry(id);
    release(task);
    if (std::exchange(task.awaited, false))
        task.state = State::Parked;
    else
        queueAgain(id);
}

/// The task is no longer at a crew and not done.
void Scheduler::queueAgain(TaskId id)
{
    entry(id).state = State::Blocked;
    makeReadyIfUnblocked(id);
}

/// Tasks have been added: tells those that come after others what they wait for.
void Scheduler::countGates()
{
    m_gates.count([this](Gate& gate) {
        for (const TaskId member : *gate.group) {
            const bool done = entry(member).state == State::Done;
            gate.undone += done ? 0U : 1U;
            gate.failed += done && entry(member).failed ? 1U : 0U;
        }
        for (const TaskId dependent : gate.dependents)
            entry(dependent).shutGates += gate.shut() ? 1U : 0U;
    });
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
    if (const auto load = m_crews.find(task.holder); load != m_crews.end())
        --load->second.outstanding;
    task.holder = CrewId(-1);
}

void Scheduler::finish(TaskId id, bool succeeded)
{
    entry(id).failed = !succeeded;
    retire(id);
    if (!succeeded) {
        skipDependents(id);
    } else {
        m_gates.visitOf(id, [this](const Gate& gate) {
            for (std::size_t i = 0; !gate.shut() && i < gate.dependents.size(); ++i)
                makeReadyIfUnblocked(gate.dependents[i]);
        });
    }
    advanceStage();
}

void Scheduler::skipDependents(TaskId failed)
{
    std::vector<TaskId> causes{failed};
    while (!causes.empty()) {
        const TaskId cause = causes.back();
        causes.pop_back();
        m_gates.visitOf(cause, [&](Gate& gate) {
            if (std::exchange(gate.spent, true))
                return;
            for (const TaskId dependent : gate.dependents) {
                const State state = entry(dependent).state;
                if (state == State::Blocked || state == State::Parked) {
                    entry(dependent).failed = true;
                    retire(dependent);
                    m_skipped.push_back({dependent, cause});
                    causes.push_back(dependent);
                } else if (state != State::Done) {
                    gate.spent = false; // at a crew since before the prerequisite was reopened
                }
            }
        });
    }
}

/// The task is done; `failed` says how.
void Scheduler::retire(TaskId id)
{
    Entry& task = entry(id);
    task.state = State::Done;
    --m_unfinished;
    --m_openByStage[task.stage];
    if (startsNow(task))
        --m_openInBegunStages;
    m_gates.visitOf(id, [this, &task](Gate& gate) {
        gate.failed += task.failed ? 1U : 0U;
        if (--gate.undone != 0)
            return;
        for (const TaskId dependent : gate.dependents)
            --entry(dependent).shutGates;
    });
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

void Scheduler::hand(TaskId id, CrewId crew, Load& load, std::vector<AttemptKey>& keys)
{
    Entry& task = entry(id);
    task.state = State::Assigned;
    task.holder = crew;
    ++load.outstanding;
    ++m_outstanding;
    keys.push_back(keyOf(id));
}

} // namespace tasuki::farm
