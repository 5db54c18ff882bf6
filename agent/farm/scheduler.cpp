// SPDX-License-Identifier: GPL-3.0-or-later
#include "scheduler.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tasuki::farm {

Scheduler::Scheduler(SchedulingPolicy policy) : m_policy(policy) {}

void Scheduler::add(const SchedulableTask& task)
{
    m_agenda.add(task);
    keep(task);
}

void Scheduler::begin()
{
    assert(!m_begun);
    m_begun = true;
    m_agenda.begin();
}

void Scheduler::extend(std::span<const SchedulableTask> tasks)
{
    assert(m_begun);
    m_agenda.extend(tasks);
    for (const SchedulableTask& task : tasks)
        keep(task);
}

/// What is known of a task's attempts.
void Scheduler::keep(const SchedulableTask& task)
{
    Attempt& added = m_attempts.emplace_back();
    added.budget = task.budget;
    added.goesOn = task.goesOn;
    added.retriesUsed = task.retriesUsed;
    added.earlier = task.attempts;
    if (task.state == TaskState::Running)
        added.state = Attempt::State::Started;
}

void Scheduler::groupJoined(GroupId group, std::uint32_t slots)
{
    assert(!m_groups.contains(group));
    m_groups[group].slots = slots;
    m_slotCount += slots;
}

void Scheduler::setSlots(GroupId group, std::uint32_t slots)
{
    Load& load = m_groups.at(group);
    m_slotCount += slots;
    m_slotCount -= std::exchange(load.slots, slots);
    load.recallInVain = false;
}

void Scheduler::setOpen(GroupId group, bool open)
{
    Load& load = m_groups.at(group);
    load.open = open;
    load.recallInVain = false;
}

void Scheduler::setUnreachable(GroupId group, bool unreachable)
{
    Load& load = m_groups.at(group);
    load.unreachable = unreachable;
    load.recallUnderWay = false;
    load.recallInVain = false;
}

std::vector<Scheduler::Held> Scheduler::heldBy(GroupId group) const
{
    std::vector<Held> heldThere;
    for (std::uint32_t i = 0; i < m_attempts.size(); ++i) {
        const Attempt& one = m_attempts[i];
        const bool started = one.state == Attempt::State::Started;
        if (one.holder == group && (started || one.state == Attempt::State::Assigned))
            heldThere.push_back({.key = keyOf(TaskId(i)),
                                 .started = started || one.condemned,
                                 .condemned = one.condemned});
    }
    return heldThere;
}

std::vector<Scheduler::Held> Scheduler::groupLost(GroupId group)
{
    const auto load = m_groups.find(group);
    if (load == m_groups.end())
        return {};
    m_slotCount -= load->second.slots;
    m_groups.erase(load);

    std::vector<Held> lost = heldBy(group);
    for (const Held& one : lost) {
        if (!one.started)
            giveBack(one.key.task);
    }
    return lost;
}

bool Scheduler::adopt(GroupId group, AttemptKey key, bool started)
{
    if (key.task.value() >= m_attempts.size() || key != keyOf(key.task))
        return false;
    Attempt& adopted = attempt(key.task);
    const bool ofRecord = adopted.state == Attempt::State::Started
        && adopted.holder == Attempt().holder;
    if (!ofRecord && !m_agenda.take(key.task))
        return false;
    adopted.state = started ? Attempt::State::Started : Attempt::State::Assigned;
    adopted.holder = group;
    ++m_groups.at(group).outstanding;
    ++m_outstanding;
    return true;
}

bool Scheduler::attemptStarted(GroupId group, AttemptKey key)
{
    if (!isUnstarted(group, key))
        return false;
    attempt(key.task).state = Attempt::State::Started;
    attempt(key.task).awaited = false;
    return true;
}

std::optional<Verdict> Scheduler::attemptEnded(GroupId group, AttemptKey key, Outcome outcome,
                                               std::chrono::microseconds elapsed)
{
    if (!isHeldBy(group, key))
        return std::nullopt;
    Attempt& ended = attempt(key.task);
    release(ended);
    ++ended.earlier;
    if (const auto load = m_groups.find(group); load != m_groups.end())
        load->second.noteEnd(elapsed);
    ended.awaited = false;
    const bool mayRunAgain = !std::exchange(ended.condemned, false);
    const std::optional<RetryCause> cause = retryCauseOf(outcome);
    ended.state = Attempt::State::Ended;
    ++m_unrecordedEnds;
    ended.disposition = Disposition::Final;
    const bool goesOn = ended.goesOn && outcome == Outcome::Lost;
    if (mayRunAgain && (outcome == Outcome::Interrupted || goesOn)) {
        ended.disposition = Disposition::Requeue;
    } else if (mayRunAgain && cause) {
        std::uint16_t& used = ended.retriesUsed[static_cast<std::size_t>(*cause)];
        if (used < ended.budget.of(*cause)) {
            ++used;
            ended.cause = *cause;
            ended.disposition = Disposition::Retry;
        }
    }
    ended.succeeded = outcome == Outcome::Succeeded;
    return Verdict{ended.disposition};
}

void Scheduler::endRecorded(TaskId id, SteadyTime now)
{
    Attempt& ended = attempt(id);
    if (ended.state != Attempt::State::Ended)
        return;
    --m_unrecordedEnds;
    ended.state = Attempt::State::None;
    switch (ended.disposition) {
    case Disposition::Requeue: m_agenda.giveBack(id); break;
    case Disposition::Retry: m_agenda.retryAt(now + backoff(ended), id); break;
    case Disposition::Final: m_agenda.finish(id, ended.succeeded); break;
    }
}

void Scheduler::returned(GroupId group, std::span<const AttemptKey> keys)
{
    const bool any = handedBack(group, keys);
    if (const auto load = m_groups.find(group); load != m_groups.end())
        load->second.noteAnswer(any);
}

bool Scheduler::handedBack(GroupId group, std::span<const AttemptKey> keys)
{
    bool any = false;
    for (const AttemptKey& key : keys) {
        if (!isUnstarted(group, key))
            continue;
        any = true;
        giveBack(key.task);
    }
    return any;
}

Parking Scheduler::park(TaskId id)
{
    switch (attempt(id).state) {
    case Attempt::State::Assigned: attempt(id).awaited = true; return Parking::Awaited;
    case Attempt::State::Started: return Parking::Running;
    case Attempt::State::Ended: return Parking::Ending;
    case Attempt::State::None: break;
    }
    return m_agenda.park(id) ? Parking::Parked : Parking::Done;
}

void Scheduler::withdrawn(GroupId group, std::span<const AttemptKey> asked,
                          std::span<const AttemptKey> given)
{
    handedBack(group, given);
    for (const AttemptKey& key : asked) {
        if (isHeldBy(group, key))
            attempt(key.task).awaited = false;
    }
}

void Scheduler::unpark(TaskId id)
{
    attempt(id).awaited = false;
    m_agenda.unpark(id);
}

void Scheduler::condemn(TaskId id)
{
    assert(held(id));
    attempt(id).condemned = true;
}

void Scheduler::reopen(std::span<const TaskId> tasks)
{
    for (const TaskId id : tasks)
        attempt(id).retriesUsed = {};
    m_agenda.reopen(tasks);
}

std::optional<std::pair<GroupId, AttemptKey>> Scheduler::held(TaskId id) const
{
    if (id.value() >= m_attempts.size())
        return std::nullopt;
    const Attempt& one = m_attempts[id.value()];
    if (one.state != Attempt::State::Assigned && one.state != Attempt::State::Started)
        return std::nullopt;
    return std::pair(one.holder, keyOf(id));
}

std::vector<Assignment> Scheduler::assignments(SteadyTime now, const FitTest& fit)
{
    assert(m_begun);
    m_agenda.wakeWaiting(now);
    std::vector<Assignment> out;
    if (m_held || m_agenda.ready() == 0)
        return out;

    std::map<GroupId, std::vector<AttemptKey>> handed;
    // Slots first, one to each worker group in turn, so that nobody queues while another idles.
    for (bool any = true; any && m_agenda.ready() != 0;) {
        any = false;
        for (auto& [group, load] : m_groups) {
            if (!load.fed() || load.idleSlots() == 0 || m_agenda.ready() == 0)
                continue;
            if (const auto id = m_agenda.takeReady(fit, Fit::SlotOnly)) {
                handed[group].push_back(hand(*id, group, load));
                any = true;
            }
        }
    }
    for (auto& [group, load] : m_groups) {
        if (!load.fed())
            continue;
        const std::uint32_t room = load.slots
            + prefetchOf(load, m_policy.feeding, m_agenda.ready(), m_slotCount);
        while (load.outstanding < room && m_agenda.ready() != 0) {
            const auto id = m_agenda.takeReady(fit, Fit::Ahead);
            if (!id)
                break;
            handed[group].push_back(hand(*id, group, load));
        }
    }
    out.reserve(handed.size());
    for (auto& [group, keys] : handed)
        out.push_back({group, std::move(keys)});
    return out;
}

Advance Scheduler::advanceOf(TaskId id) const
{
    switch (m_attempts[id.value()].state) {
    case Attempt::State::Assigned:
    case Attempt::State::Started: return Advance::Held;
    case Attempt::State::Ended: return Advance::Ending;
    case Attempt::State::None: break;
    }
    if (m_agenda.isDone(id))
        return m_agenda.hasSucceeded(id) ? Advance::Succeeded : Advance::GivenUp;
    return m_agenda.isReady(id) ? Advance::Ready : Advance::Waits;
}

AttemptKey Scheduler::handRank(TaskId id, GroupId group)
{
    const bool taken = m_agenda.take(id);
    assert(taken);
    static_cast<void>(taken);
    return hand(id, group, m_groups.at(group));
}

bool Scheduler::onlyLate(SteadyTime until) const
{
    return m_agenda.late() != 0 && m_agenda.ready() == 0 && m_agenda.readyRanks() == 0
        && m_outstanding == 0 && m_unrecordedEnds == 0
        && m_agenda.nextWake().value_or(until) >= until;
}

std::vector<RecallOrder> Scheduler::recalls()
{
    if (m_held)
        return {};
    Recalls<GroupId> recalls;
    recallFromClosed(m_groups, recalls);
    if (m_agenda.ready() == 0)
        recallForIdle(m_groups, recalls);
    std::vector<RecallOrder> orders;
    orders.reserve(recalls.size());
    for (const auto& [group, count] : recalls)
        orders.push_back({group, count});
    return orders;
}

std::vector<RecallOrder> Scheduler::recallAll()
{
    std::vector<RecallOrder> orders;
    for (auto& [group, load] : m_groups) {
        if (load.outstanding == 0 || load.unreachable)
            continue;
        load.recallUnderWay = true;
        orders.push_back({group, load.outstanding});
    }
    return orders;
}

std::uint32_t Scheduler::outstanding(GroupId group) const
{
    const auto load = m_groups.find(group);
    return load == m_groups.end() ? 0 : load->second.outstanding;
}

AttemptKey Scheduler::keyOf(TaskId id) const
{
    return {id, AttemptNumber(m_attempts[id.value()].earlier + 1)};
}

bool Scheduler::isHeldBy(GroupId group, AttemptKey key) const
{
    return held(key.task) == std::pair(group, key);
}

bool Scheduler::isUnstarted(GroupId group, AttemptKey key) const
{
    return isHeldBy(group, key) && m_attempts[key.task.value()].state == Attempt::State::Assigned;
}

/// A worker group does not hold an unstarted attempt any more.
void Scheduler::giveBack(TaskId id)
{
    release(attempt(id));
    if (std::exchange(attempt(id).awaited, false))
        m_agenda.giveBackParked(id);
    else
        m_agenda.giveBack(id);
}

void Scheduler::release(Attempt& released)
{
    --m_outstanding;
    if (const auto load = m_groups.find(released.holder); load != m_groups.end())
        --load->second.outstanding;
    released.holder = GroupId(-1);
    released.state = Attempt::State::None;
}

std::chrono::milliseconds Scheduler::backoff(const Attempt& ended) const
{
    if (ended.cause == RetryCause::ProcessorLost)
        return std::chrono::milliseconds::zero(); // the task is not to blame
    const auto used = ended.retriesUsed[static_cast<std::size_t>(ended.cause)];
    constexpr int mostDoublings = 20;
    return std::min(m_policy.firstBackoff * (1L << std::min(used - 1, mostDoublings)),
                    m_policy.longestBackoff);
}

AttemptKey Scheduler::hand(TaskId id, GroupId group, Load& load)
{
    attempt(id).state = Attempt::State::Assigned;
    attempt(id).holder = group;
    ++load.outstanding;
    ++m_outstanding;
    return keyOf(id);
}

} // namespace tasuki::farm
