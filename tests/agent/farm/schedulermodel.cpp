// SPDX-License-Identifier: GPL-3.0-or-later
#include "schedulermodel.h"

#include "schedulertesting.h"

#include <algorithm>
#include <utility>

namespace tasuki::farm::testing {

using namespace std::chrono_literals;

namespace {

constexpr std::int32_t rankCount = 5;

std::string words(AttemptKey key)
{
    return "task " + std::to_string(key.task.value()) + " attempt "
        + std::to_string(key.number.value());
}

} // namespace

SchedulerModel::SchedulerModel(std::uint32_t seed, bool operators)
    : m_random(seed),
      m_operators(operators),
      m_scheduler({.feeding = {.maxPrefetch = maxPrefetch}, .firstBackoff = 10ms}),
      m_now(at(0ms))
{
    addTasks();
    m_scheduler.begin();
    takeSkipped();
    checkBooks();
}

void SchedulerModel::addTasks()
{
    const std::uint32_t count = 5 + below(60);
    std::uint32_t stage = 0;
    for (std::uint32_t i = 0; i < count; ++i) {
        if (below(12) == 0)
            stage += 1 + below(2);
        KnownTask task = randomTask(i, stage, i);
        const std::vector<SharedGroup> groups = groupsOf(task.after);
        SchedulableTask added{
            .stage = stage, .position = i, .budget = task.budget, .after = groups};
        if (below(10) == 0) { // known from an earlier life
            task.finals = 1;
            task.succeeded = below(3) != 0;
            added.state = task.succeeded ? TaskState::Succeeded : TaskState::Failed;
        } else if (below(5) == 0) {
            task.attempts = below(4);
            added.attempts = task.attempts;
        } else if (m_operators && below(8) == 0) {
            task.parked = true;
            added.state = TaskState::Held;
        }
        m_scheduler.add(added);
        m_tasks.push_back(std::move(task));
    }
}

/// @param earlier  ids below this one may be named as prerequisites
SchedulerModel::KnownTask SchedulerModel::randomTask(std::uint32_t id, std::uint32_t stage,
                                                     std::uint32_t earlier)
{
    KnownTask task{.stage = stage};
    for (std::uint16_t& allowed : task.budget.allowed)
        allowed = static_cast<std::uint16_t>(below(3));
    for (std::uint32_t tries = below(8) == 0 ? 3 : below(2); earlier > 0 && tries > 0; --tries) {
        const TaskId prerequisite(below(earlier));
        if (prerequisite.value() != id && !std::ranges::count(task.after, prerequisite))
            task.after.push_back(prerequisite);
    }
    if (!m_tasks.empty() && below(3) == 0) // many after the same
        task.after = m_tasks[below(static_cast<std::uint32_t>(m_tasks.size()))].after;
    for (const TaskId prerequisite : task.after) {
        if (prerequisite.value() >= m_tasks.size() || !known(prerequisite).succeeded)
            task.waitsFor.insert(prerequisite);
    }
    return task;
}

/// @return the tasks as one group, or as one each; equal ones are the same object
std::vector<SharedGroup> SchedulerModel::groupsOf(const std::vector<TaskId>& after)
{
    std::vector<SharedGroup> groups;
    const bool together = below(2) == 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
        TaskGroup ids = together ? after : TaskGroup{after[i]};
        std::ranges::sort(ids);
        SharedGroup& group = m_groups[ids];
        if (!group)
            group = std::make_shared<const TaskGroup>(ids);
        if (groups.empty() || !together)
            groups.push_back(group);
    }
    return groups;
}

void SchedulerModel::step()
{
    m_now += std::chrono::milliseconds(below(8));
    switch (m_operators && below(4) == 0 ? 99 : below(16)) {
    case 99: operate(); break;
    case 0: join(); break;
    case 1:
        if (below(3) == 0)
            lose();
        break;
    case 2:
    case 3:
    case 4: handOut(); break;
    case 5: recall(); break;
    case 6:
    case 7: answerRecall(); break;
    case 8:
    case 9: startOne(); break;
    case 10: sayNonsense(); break;
    case 11:
        m_held = below(4) == 0;
        m_scheduler.setHeld(m_held);
        break;
    default: endOne(); break;
    }
    takeSkipped();
    checkBooks();
}

void SchedulerModel::finish()
{
    m_held = false;
    m_scheduler.setHeld(false);
    for (std::uint32_t i = 0; i < m_tasks.size(); ++i) {
        m_scheduler.unpark(TaskId(i));
        m_tasks[i].parked = m_tasks[i].awaited = false;
    }
    // Each round ends at least one attempt or waits for a back-off.
    for (int round = 0; round < 20'000 && m_complaint.empty() && !m_scheduler.complete(); ++round) {
        m_now += 20s;
        if (m_workers.empty())
            join();
        answerRecall();
        handOut();
        endOne();
        takeSkipped();
        checkBooks();
    }
    if (!m_scheduler.complete())
        complain("the run never ends");
    for (std::size_t i = 0; i < m_tasks.size(); ++i) {
        if (m_tasks[i].finals != 1)
            complain("task " + std::to_string(i) + " has no end");
    }
}

SchedulerModel::Worker* SchedulerModel::anyWorker(GroupId& rank)
{
    if (m_workers.empty())
        return nullptr;
    const auto place = std::next(m_workers.begin(),
                                 below(static_cast<std::uint32_t>(m_workers.size())));
    rank = place->first;
    return &place->second;
}

void SchedulerModel::join()
{
    const GroupId rank(static_cast<std::int32_t>(below(rankCount)));
    if (m_workers.contains(rank))
        return;
    const std::uint32_t slots = 1 + below(4);
    m_workers[rank].slots = slots;
    m_scheduler.groupJoined(rank, slots);
}

void SchedulerModel::lose()
{
    GroupId rank;
    Worker* worker = anyWorker(rank);
    if (!worker)
        return;
    std::vector<HeldAttempt> held = std::move(worker->held);
    m_workers.erase(rank);
    const auto told = m_scheduler.groupLost(rank);
    if (told.size() != held.size())
        complain("a lost worker held something else");
    for (const Scheduler::Held& attempt : told) {
        const auto known = std::ranges::find(held, attempt.key, &HeldAttempt::key);
        const bool condemned = m_tasks[attempt.key.task.value()].condemned;
        if (known == held.end() || (known->started || condemned) != attempt.started) {
            complain(words(attempt.key) + " was not held so");
            continue;
        }
        if (!attempt.started)
            takeBack(attempt.key);
    }
    for (const Scheduler::Held& attempt : told) {
        if (attempt.started)
            takeEnd(rank, attempt.key, Outcome::Lost);
    }
}

void SchedulerModel::handOut()
{
    const auto assignments = m_scheduler.assignments(m_now);
    if (m_held && !assignments.empty())
        complain("handed out while held");
    for (const Assignment& assignment : assignments) {
        Worker& worker = m_workers[assignment.group];
        for (const AttemptKey& key : assignment.keys) {
            checkHandedOut(assignment.group, key);
            worker.held.push_back({.key = key});
        }
        if (worker.held.size() > worker.slots + maxPrefetch)
            complain("a worker holds more than it may");
    }
    if (!m_held)
        checkNobodyIdles();
}

void SchedulerModel::checkHandedOut(GroupId rank, AttemptKey key)
{
    if (key.task.value() >= m_tasks.size()) {
        complain(words(key) + " is not known");
        return;
    }
    KnownTask& task = m_tasks[key.task.value()];
    if (task.finals != 0)
        complain(words(key) + " is handed out after its end");
    if (task.holder != GroupId(-1))
        complain(words(key) + " is in two places");
    if (key.number.value() != task.attempts + 1)
        complain(words(key) + " has the wrong number");
    if (!task.waitsFor.empty())
        complain(words(key) + " is handed out before its prerequisite");
    if (task.stage > m_stage)
        complain(words(key) + " is handed out before its stage");
    if (task.parked)
        complain(words(key) + " is handed out although it is parked");
    task.backsOff = false;
    task.holder = rank;
}

void SchedulerModel::recall()
{
    const bool all = below(4) == 0;
    for (const RecallOrder& order : all ? m_scheduler.recallAll() : m_scheduler.recalls()) {
        Worker& worker = m_workers[order.group];
        if (order.count == 0 || order.count > worker.held.size())
            complain("a recall of " + std::to_string(order.count));
        if (!all && worker.recallUnderWay)
            complain("a second recall is under way");
        worker.recallUnderWay = true;
        worker.recalled = order.count;
    }
}

void SchedulerModel::answerRecall()
{
    for (auto& [rank, worker] : m_workers) {
        if (!worker.recallUnderWay)
            continue;
        std::vector<AttemptKey> keys;
        while (keys.size() < worker.recalled && !worker.held.empty() && !worker.held.back().started
               && !known(worker.held.back().key.task).condemned && below(5) != 0) {
            keys.push_back(worker.held.back().key);
            takeBack(keys.back());
            worker.held.pop_back();
        }
        worker.recallUnderWay = false;
        m_scheduler.returned(rank, keys);
        return;
    }
}

void SchedulerModel::startOne()
{
    GroupId rank;
    Worker* worker = anyWorker(rank);
    if (!worker)
        return;
    for (std::size_t i = 0; i < worker->held.size() && i < worker->slots; ++i) {
        HeldAttempt& attempt = worker->held[i];
        if (m_scheduler.attemptStarted(rank, attempt.key) == attempt.started)
            complain(words(attempt.key) + ": its start counted wrongly");
        known(attempt.key.task).awaited = false;
        if (!std::exchange(attempt.started, true))
            return;
    }
}

void SchedulerModel::endOne()
{
    GroupId rank;
    Worker* worker = anyWorker(rank);
    if (!worker || worker->held.empty())
        return;
    const auto running = std::min(worker->slots, static_cast<std::uint32_t>(worker->held.size()));
    const auto place = worker->held.begin() + below(running);
    const AttemptKey key = place->key;
    worker->held.erase(place);
    static constexpr std::array outcomes{
        Outcome::Succeeded, Outcome::Succeeded, Outcome::Failed,
        Outcome::Signalled, Outcome::TimedOut,  Outcome::Interrupted,
        Outcome::Cancelled, Outcome::Lost,      Outcome::NotStarted};
    takeEnd(rank, key, below(2) == 0 ? Outcome::Succeeded : outcomes[below(outcomes.size())]);
}

void SchedulerModel::takeEnd(GroupId rank, AttemptKey key, Outcome outcome)
{
    const auto verdict = attemptFinished(m_scheduler, rank, key, outcome,
                                         std::chrono::microseconds(below(20'000)), m_now);
    if (!verdict) {
        complain(words(key) + ": its end does not count");
        return;
    }
    if (attemptFinished(m_scheduler, rank, key, Outcome::Succeeded, 1ms, m_now))
        complain(words(key) + ": its end counts twice");
    KnownTask& task = m_tasks[key.task.value()];
    ++task.attempts;
    task.holder = GroupId(-1);
    task.awaited = false;
    Disposition expected = Disposition::Final;
    if (std::exchange(task.condemned, false)) {
        expected = Disposition::Final;
    } else if (outcome == Outcome::Interrupted) {
        expected = Disposition::Requeue;
    } else if (const auto cause = retryCauseOf(outcome)) {
        std::uint32_t& used = task.retries[static_cast<std::size_t>(*cause)];
        if (used < task.budget.of(*cause)) {
            ++used;
            expected = Disposition::Retry;
        }
    }
    if (verdict->disposition != expected)
        complain(words(key) + ": another disposition");
    task.backsOff = expected == Disposition::Retry;
    if (expected == Disposition::Final)
        takeFinal(key.task, outcome == Outcome::Succeeded);
    takeSkipped();
}

void SchedulerModel::takeBack(AttemptKey key)
{
    KnownTask& task = known(key.task);
    task.holder = GroupId(-1);
    task.parked = std::exchange(task.awaited, false);
}

/// What waited for the task waits no more; after a failure that is only what a worker holds, the
/// rest must be skipped.
void SchedulerModel::takeFinal(TaskId id, bool succeeded)
{
    KnownTask& task = known(id);
    ++task.finals;
    task.succeeded = succeeded;
    task.parked = false;
    for (KnownTask& other : m_tasks) {
        if (succeeded || other.holder != GroupId(-1))
            other.waitsFor.erase(id);
    }
}

void SchedulerModel::takeSkipped()
{
    for (const SkippedTask& skipped : m_scheduler.takeSkipped()) {
        KnownTask& task = m_tasks[skipped.id.value()];
        const KnownTask& cause = m_tasks[skipped.because.value()];
        if (cause.finals == 0 || cause.succeeded
            || !std::ranges::count(task.after, skipped.because))
            complain("a task is skipped for no reason");
        if (task.holder != GroupId(-1))
            complain("a task is skipped that a worker holds");
        takeFinal(skipped.id, false);
    }
}

/// Ends that nobody may report: of attempts that this worker does not hold.
void SchedulerModel::sayNonsense()
{
    const GroupId rank(static_cast<std::int32_t>(below(rankCount + 2)));
    const AttemptKey key{TaskId(below(static_cast<std::uint32_t>(m_tasks.size()) + 2)),
                         AttemptNumber(below(4))};
    const auto worker = m_workers.find(rank);
    if (worker != m_workers.end()
        && std::ranges::count(worker->second.held, key, &HeldAttempt::key))
        return;
    if (m_scheduler.attemptStarted(rank, key)
        || attemptFinished(m_scheduler, rank, key, Outcome::Succeeded, 1ms, m_now))
        complain(words(key) + " counted for a worker that did not hold it");
}

void SchedulerModel::checkBooks()
{
    std::size_t held = 0;
    std::size_t slots = 0;
    for (const auto& [rank, worker] : m_workers) {
        held += worker.held.size();
        slots += worker.slots;
    }
    if (m_scheduler.outstanding() != held)
        complain(std::to_string(m_scheduler.outstanding()) + " outstanding, workers hold "
                 + std::to_string(held));
    if (m_scheduler.slotCount() != slots)
        complain("slots were counted wrongly");
    const bool complete = std::ranges::all_of(
        m_tasks, [](const KnownTask& task) { return task.finals != 0; });
    if (m_scheduler.complete() != complete)
        complain("complete() is wrong");
    if (std::ranges::any_of(m_tasks, [](const KnownTask& task) { return task.finals > 1; }))
        complain("a task has ended twice");
    for (std::uint32_t i = 0; i < m_tasks.size(); ++i) {
        const KnownTask& task = m_tasks[i];
        if (m_scheduler.isParked(TaskId(i)) != task.parked)
            complain("task " + std::to_string(i) + ": isParked() is wrong");
        if (task.finals == 0 && task.holder == GroupId(-1)
            && std::ranges::any_of(task.waitsFor,
                                   [this](TaskId id) { return known(id).finals != 0; }))
            complain("task " + std::to_string(i) + " was not skipped");
    }
    advanceStage();
}

void SchedulerModel::advanceStage()
{
    std::uint32_t last = 0;
    for (const KnownTask& task : m_tasks)
        last = std::max(last, task.stage);
    const auto open = [this](const KnownTask& task) {
        return task.stage <= m_stage && task.finals == 0;
    };
    while (m_stage < last && std::ranges::none_of(m_tasks, open))
        ++m_stage;
}

/// After handing out: no task that could run, while a slot is free.
void SchedulerModel::checkNobodyIdles()
{
    const bool idle = std::ranges::any_of(
        m_workers, [](const auto& entry) { return entry.second.held.size() < entry.second.slots; });
    for (std::uint32_t i = 0; idle && i < m_tasks.size(); ++i) {
        const KnownTask& task = m_tasks[i];
        if (task.finals == 0 && task.holder == GroupId(-1) && !task.parked && !task.backsOff
            && task.waitsFor.empty() && task.stage <= m_stage)
            complain("task " + std::to_string(i) + " was forgotten");
    }
}

void SchedulerModel::complain(std::string what)
{
    if (m_complaint.empty())
        m_complaint = std::move(what);
}

} // namespace tasuki::farm::testing
