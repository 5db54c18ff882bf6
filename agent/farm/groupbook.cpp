// SPDX-License-Identifier: GPL-3.0-or-later
#include "groupbook.h"

#include <algorithm>
#include <cassert>
#include <iterator>

namespace tasuki::farm {

void GroupBook::join(Rank rank, std::uint32_t slots)
{
    assert(!knows(rank));
    m_loads[rank].slots = slots;
}

void GroupBook::setOpen(Rank rank, bool open)
{
    Load& load = m_loads.at(rank);
    load.open = open;
    load.recallInVain = false;
}

void GroupBook::setUnreachable(Rank rank, bool unreachable)
{
    Load& load = m_loads.at(rank);
    load.unreachable = unreachable;
    load.recallUnderWay = false;
    load.recallInVain = false;
}

RankLeavings GroupBook::lost(Rank rank)
{
    RankLeavings leavings = keepOnly(rank, {});
    m_loads.erase(rank);
    return leavings;
}

void GroupBook::enqueue(std::vector<AssignedTask> tasks)
{
    for (AssignedTask& task : tasks) {
        if (task.settings->seat)
            m_seated.push_back(std::move(task));
        else
            m_queue.push_back(std::move(task));
    }
}

void GroupBook::place(Rank rank, AttemptKey key, bool started)
{
    const bool isNew = m_held.emplace(key, Entry{rank, started, {}}).second;
    assert(isNew);
    static_cast<void>(isNew);
    ++m_loads.at(rank).outstanding;
}

RankLeavings GroupBook::keepOnly(Rank rank, const std::set<AttemptKey>& keys)
{
    Leaving leaving;
    for (auto entry = m_held.begin(); entry != m_held.end();) {
        const auto next = std::next(entry);
        if (entry->second.rank == rank && !keys.contains(entry->first))
            leave(entry, leaving);
        entry = next;
    }
    return settle(std::move(leaving));
}

bool GroupBook::started(Rank rank, AttemptKey key)
{
    const auto entry = m_held.find(key);
    if (entry == m_held.end() || entry->second.rank != rank)
        return false;
    entry->second.started = true;
    entry->second.task.reset();
    return true;
}

bool GroupBook::finished(Rank rank, AttemptKey key, std::chrono::microseconds elapsed)
{
    const auto entry = m_held.find(key);
    if (entry == m_held.end() || entry->second.rank != rank)
        return false;
    m_loads.at(rank).noteEnd(elapsed);
    release(entry);
    return true;
}

std::vector<AttemptKey> GroupBook::returned(Rank rank, std::span<const AttemptKey> keys)
{
    Leaving leaving;
    for (const AttemptKey& key : keys) {
        const auto entry = m_held.find(key);
        if (entry != m_held.end() && entry->second.rank == rank && !entry->second.started)
            leave(entry, leaving);
    }
    return settle(std::move(leaving)).unknown;
}

bool GroupBook::withdrawn(Rank rank, AttemptKey key)
{
    const auto entry = m_held.find(key);
    if (entry == m_held.end() || entry->second.rank != rank || entry->second.started)
        return false;
    release(entry);
    return true;
}

std::vector<AttemptKey> GroupBook::giveUp(std::size_t count)
{
    std::vector<AttemptKey> keys;
    const auto take = [&](auto& waiting) {
        for (; count > 0 && !waiting.empty(); --count) {
            keys.push_back(waiting.back().key);
            waiting.pop_back();
        }
    };
    take(m_queue);
    take(m_seated);
    return keys;
}

std::vector<AttemptKey> GroupBook::takeOut(const std::set<AttemptKey>& keys)
{
    std::vector<AttemptKey> taken;
    const auto take = [&](const AssignedTask& task) {
        if (!keys.contains(task.key))
            return false;
        taken.push_back(task.key);
        return true;
    };
    std::erase_if(m_queue, take);
    std::erase_if(m_seated, take);
    return taken;
}

std::optional<Rank> GroupBook::holder(AttemptKey key) const
{
    const auto entry = m_held.find(key);
    return entry == m_held.end() ? std::nullopt : std::optional(entry->second.rank);
}

bool GroupBook::isStarted(AttemptKey key) const
{
    const auto entry = m_held.find(key);
    return entry != m_held.end() && entry->second.started;
}

std::vector<std::pair<Rank, std::vector<AssignedTask>>> GroupBook::deal(std::size_t reserved)
{
    std::map<Rank, std::vector<AssignedTask>> dealt;
    // A rank of a world goes to its holder, whatever that has.
    std::erase_if(m_seated, [&](const AssignedTask& task) {
        const Rank rank = task.settings->seat->rank;
        const auto load = m_loads.find(rank);
        if (load == m_loads.end() || !load->second.takesRanks())
            return false;
        hold(rank, load->second, task);
        dealt[rank].push_back(task);
        return true;
    });
    std::uint32_t slots = 0;
    for (const auto& [rank, load] : m_loads)
        slots += load.fed() ? load.slots : 0;
    const auto ready = [&] { return m_queue.size() > reserved ? m_queue.size() - reserved : 0; };
    // Slots first, one to each rank in turn, so that nobody queues while another idles.
    for (bool any = true; any && ready() != 0;) {
        any = false;
        for (auto& [rank, load] : m_loads) {
            if (!load.fed() || load.idleSlots() == 0 || ready() == 0)
                continue;
            dealt[rank].push_back(hand(rank, load));
            any = true;
        }
    }
    for (auto& [rank, load] : m_loads) {
        if (!load.fed() || ready() == 0)
            continue;
        const std::uint32_t room = load.slots + prefetchOf(load, m_policy, ready(), slots);
        while (load.outstanding < room && ready() != 0)
            dealt[rank].push_back(hand(rank, load));
    }
    return {std::make_move_iterator(dealt.begin()), std::make_move_iterator(dealt.end())};
}

Recalls<Rank> GroupBook::recalls()
{
    Recalls<Rank> orders;
    recallFromClosed(m_loads, orders);
    if (m_queue.empty())
        recallForIdle(m_loads, orders);
    return orders;
}

Recalls<Rank> GroupBook::recallsFor(std::size_t count)
{
    const bool all = count >= m_held.size();
    std::vector<std::pair<Rank, Load*>> laden;
    for (auto& [rank, load] : m_loads) {
        if (!load.unreachable && (all ? load.outstanding : load.unstarted()) != 0)
            laden.emplace_back(rank, &load);
    }
    std::ranges::sort(laden, [](const auto& a, const auto& b) {
        return a.second->unstarted() > b.second->unstarted();
    });
    Recalls<Rank> orders;
    for (const auto& [rank, load] : laden) {
        if (count == 0)
            break;
        const std::size_t wanted = all ? load->outstanding
                                       : std::min<std::size_t>(count, load->unstarted());
        load->recallUnderWay = true;
        orders.emplace_back(rank, static_cast<std::uint32_t>(wanted));
        count -= std::min(count, wanted);
    }
    return orders;
}

void GroupBook::recallAnswered(Rank rank, bool any, bool last)
{
    const auto load = m_loads.find(rank);
    if (load == m_loads.end())
        return;
    load->second.noteAnswer(any);
    load->second.recallUnderWay = !last;
}

void GroupBook::release(Entries::iterator entry)
{
    --m_loads.at(entry->second.rank).outstanding;
    m_held.erase(entry);
}

/// The rank does not hold it any more, but it has not ended.
void GroupBook::leave(Entries::iterator entry, Leaving& leaving)
{
    if (entry->second.started)
        leaving.rest.started.push_back(entry->first);
    else if (entry->second.task)
        leaving.again.push_back(std::move(*entry->second.task));
    else
        leaving.rest.unknown.push_back(entry->first);
    release(entry);
}

/// What can be dealt again was dealt before what waits.
RankLeavings GroupBook::settle(Leaving leaving)
{
    std::ranges::sort(leaving.rest.started);
    std::ranges::sort(leaving.rest.unknown);
    std::ranges::sort(leaving.again, {}, &AssignedTask::key);
    // Not that of std::ranges, whose result Clang 14 cannot read.
    const auto seated = std::stable_partition(
        leaving.again.begin(), leaving.again.end(),
        [](const AssignedTask& task) { return !task.settings->seat; });
    m_queue.insert(m_queue.begin(), std::make_move_iterator(leaving.again.begin()),
                   std::make_move_iterator(seated));
    std::move(seated, leaving.again.end(), std::back_inserter(m_seated));
    return std::move(leaving.rest);
}

AssignedTask GroupBook::hand(Rank rank, Load& load)
{
    AssignedTask task = std::move(m_queue.front());
    m_queue.pop_front();
    hold(rank, load, task);
    return task;
}

void GroupBook::hold(Rank rank, Load& load, const AssignedTask& task)
{
    ++load.outstanding;
    m_held.insert_or_assign(task.key, Entry{rank, false, task});
}

} // namespace tasuki::farm
