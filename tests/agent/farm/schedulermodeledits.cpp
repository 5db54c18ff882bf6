// SPDX-License-Identifier: GPL-3.0-or-later
// What operators do to the scheduler of a SchedulerModel.
#include "schedulermodel.h"

#include "schedulertesting.h"

#include <algorithm>
#include <utility>

namespace tasuki::farm::testing {

void SchedulerModel::operate()
{
    switch (below(12)) {
    case 0:
    case 1:
    case 2: parkOne(); break;
    case 3:
    case 4: unparkOne(); break;
    case 5:
    case 6: answerWithdrawal(); break;
    case 7: cancelSome(); break;
    case 8: condemnOne(); break;
    case 9:
    case 10: reopenSome(); break;
    default:
        if (m_tasks.size() < 120)
            extend();
    }
}

bool SchedulerModel::isStarted(TaskId id) const
{
    return std::ranges::any_of(m_workers, [&](const auto& entry) {
        return std::ranges::any_of(entry.second.held, [&](const HeldAttempt& attempt) {
            return attempt.key.task == id && attempt.started;
        });
    });
}

void SchedulerModel::parkOne()
{
    const TaskId id = anyTask();
    KnownTask& task = known(id);
    if (task.condemned)
        return; // the caller knows that it runs
    Parking expected = Parking::Parked;
    if (task.finals != 0)
        expected = Parking::Done;
    else if (task.holder != GroupId(-1))
        expected = isStarted(id) ? Parking::Running : Parking::Awaited;
    if (m_scheduler.park(id) != expected)
        complain("task " + std::to_string(id.value()) + " is parked in another way");
    task.awaited = task.awaited || expected == Parking::Awaited;
    if (expected == Parking::Parked) {
        task.parked = true;
        task.backsOff = false;
    }
}

void SchedulerModel::unparkOne()
{
    const TaskId id = anyTask();
    m_scheduler.unpark(id);
    known(id).parked = known(id).awaited = false;
}

/// A worker gives back some of what is awaited from it.
void SchedulerModel::answerWithdrawal()
{
    GroupId rank;
    Worker* worker = anyWorker(rank);
    if (!worker)
        return;
    std::vector<AttemptKey> asked;
    std::vector<AttemptKey> given;
    for (const HeldAttempt& attempt : worker->held) {
        if (!known(attempt.key.task).awaited)
            continue;
        asked.push_back(attempt.key);
        if (below(4) != 0)
            given.push_back(attempt.key);
    }
    m_scheduler.withdrawn(rank, asked, given);
    for (const AttemptKey& key : given) {
        std::erase_if(worker->held, [&](const HeldAttempt& attempt) { return attempt.key == key; });
        takeBack(key);
    }
    for (const AttemptKey& key : asked)
        known(key.task).awaited = false;
}

void SchedulerModel::cancelSome()
{
    std::vector<TaskId> ids;
    for (std::uint32_t i = 0; i < m_tasks.size(); ++i) {
        if (m_tasks[i].parked && below(3) == 0)
            ids.emplace_back(i);
    }
    m_scheduler.cancel(ids);
    for (const TaskId id : ids)
        takeFinal(id, false);
}

void SchedulerModel::condemnOne()
{
    const TaskId id = anyTask();
    if (known(id).holder == GroupId(-1) || known(id).awaited)
        return;
    m_scheduler.condemn(id);
    known(id).condemned = true;
}

void SchedulerModel::reopenSome()
{
    std::vector<TaskId> reopened;
    const std::uint32_t sparsity = 1 + below(8);
    for (std::uint32_t i = 0; i < m_tasks.size(); ++i) {
        if (m_tasks[i].finals != 0 && below(sparsity) == 0)
            reopened.emplace_back(i);
    }
    m_scheduler.reopen(reopened);
    for (const TaskId id : reopened) {
        KnownTask& task = known(id);
        task.finals = 0;
        task.succeeded = task.backsOff = false;
        task.retries = {};
        for (KnownTask& other : m_tasks) {
            if (std::ranges::count(other.after, id))
                other.waitsFor.insert(id);
        }
    }
    for (const TaskId id : reopened) {
        KnownTask& task = known(id);
        task.waitsFor = {task.after.begin(), task.after.end()};
        std::erase_if(task.waitsFor, [this](TaskId before) { return known(before).succeeded; });
    }
}

void SchedulerModel::extend()
{
    const auto first = static_cast<std::uint32_t>(m_tasks.size());
    const std::uint32_t count = 1 + below(4);
    std::vector<KnownTask> made;
    for (std::uint32_t i = 0; i < count; ++i) {
        const std::uint32_t stage = below(3) == 0 ? below(m_stage + 3) : m_tasks.back().stage;
        KnownTask& task = made.emplace_back(randomTask(first + i, stage, first + i));
        const auto isLater = [&](TaskId id) { // a list could not say that: it waits for itself
            return (id.value() < first ? known(id) : made[id.value() - first]).stage > stage;
        };
        std::erase_if(task.after, isLater);
        std::erase_if(task.waitsFor, isLater);
    }
    std::vector<SchedulableTask> added;
    std::vector<std::vector<SharedGroup>> groups(count);
    for (std::uint32_t i = 0; i < count; ++i) {
        groups[i] = groupsOf(made[i].after);
        added.push_back({.stage = made[i].stage,
                         .position = first + i,
                         .budget = made[i].budget,
                         .after = groups[i]});
    }
    m_scheduler.extend(added);
    for (KnownTask& task : made)
        m_tasks.push_back(std::move(task));
}

} // namespace tasuki::farm::testing
