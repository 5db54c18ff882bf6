// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "feeding.h"
#include "rankmessages.h"

#include "domain/ids.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tasuki::farm {

/// What a rank that went away leaves behind. What it had not started and can be dealt again, is in
/// the queue once more.
struct RankLeavings {
    std::vector<AttemptKey> started;
    std::vector<AttemptKey> unknown; ///< not started, but nobody here has its command
};

/// Who of a worker group holds what, and who is to be fed next: a queue, and the attempts of the ranks.
/// Pure logic.
class GroupBook {
public:
    explicit GroupBook(FeedingPolicy policy = {}) : m_policy(policy) {}

    /// A rank takes work from now on. Precondition: !knows().
    void join(Rank rank, std::uint32_t slots);
    [[nodiscard]] bool knows(Rank rank) const { return m_loads.contains(rank); }
    /// Precondition for both: knows(). See Load.
    void setOpen(Rank rank, bool open);
    void setUnreachable(Rank rank, bool unreachable);
    RankLeavings lost(Rank rank);

    /// Attempts to be dealt, behind those that wait.
    void enqueue(std::vector<AssignedTask> tasks);
    /// A rank has said that it holds an attempt. Precondition: knows(), nobody else holds it.
    void place(Rank rank, AttemptKey key, bool started);
    /// A rank holds nothing but these.
    RankLeavings keepOnly(Rank rank, const std::set<AttemptKey>& keys);

    /// An attempt runs. @return whether the rank holds it
    bool started(Rank rank, AttemptKey key);
    /// An attempt has ended. @return whether the rank held it
    bool finished(Rank rank, AttemptKey key, std::chrono::microseconds elapsed);
    /// A rank has given unstarted attempts back: they wait again.
    /// @return those that cannot be dealt, as nobody here has their command
    std::vector<AttemptKey> returned(Rank rank, std::span<const AttemptKey> keys);
    /// A rank has given an attempt back, and it does not wait again. @return whether it held it
    bool withdrawn(Rank rank, AttemptKey key);

    /// Takes so many attempts out of the queue, the last ones first.
    std::vector<AttemptKey> giveUp(std::size_t count);
    /// Takes these out of the queue. @return those that were in it
    std::vector<AttemptKey> takeOut(const std::set<AttemptKey>& keys);

    /// Who holds an attempt; none: nobody does.
    [[nodiscard]] std::optional<Rank> holder(AttemptKey key) const;
    [[nodiscard]] bool isStarted(AttemptKey key) const;
    /// Attempts that no rank has, also those that wait for their holders.
    [[nodiscard]] std::size_t waiting() const { return m_queue.size() + m_seated.size(); }
    /// In the queue and at the ranks.
    [[nodiscard]] std::size_t held() const { return waiting() + m_held.size(); }
    [[nodiscard]] const std::map<Rank, Load>& loads() const { return m_loads; }

    /// What to hand out now.
    /// @param reserved  so many that wait stay in the queue
    std::vector<std::pair<Rank, std::vector<AssignedTask>>> deal(std::size_t reserved);
    /// What to call back now from ranks that get no work, or for idle slots of others.
    Recalls<Rank> recalls();
    /// What to call back for somebody else, so many if there are; from all ranks when that is all
    /// they hold.
    Recalls<Rank> recallsFor(std::size_t count);
    /// A rank will answer a recall, or has; see Load.
    void recallAnswered(Rank rank, bool any, bool last);

private:
    struct Entry {
        Rank rank;
        bool started = false;
        std::optional<AssignedTask> task; ///< while it may be dealt again
    };
    using Entries = std::unordered_map<AttemptKey, Entry>;

    void release(Entries::iterator entry);
    struct Leaving {
        RankLeavings rest;
        std::vector<AssignedTask> again; ///< to be dealt once more
    };
    void leave(Entries::iterator entry, Leaving& leaving);
    RankLeavings settle(Leaving leaving);
    AssignedTask hand(Rank rank, Load& load);
    void hold(Rank rank, Load& load, const AssignedTask& task);

    FeedingPolicy m_policy;
    std::deque<AssignedTask> m_queue;
    std::vector<AssignedTask> m_seated; ///< ranks of worlds that wait for their holders
    Entries m_held;
    std::map<Rank, Load> m_loads;
};

} // namespace tasuki::farm
