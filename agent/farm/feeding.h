// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>
#include <vector>

/// How those who run attempts are fed, and what is called back from them: the arithmetic that the
/// master has for its worker groups and a group scheduler for its ranks.
namespace tasuki::farm {

/// How far ahead of its slots somebody is fed.
struct FeedingPolicy {
    /// Work that it should hold beyond its slots, as run time.
    std::chrono::microseconds horizon{50'000};
    /// Unstarted attempts that it holds at most.
    std::uint32_t maxPrefetch = 4'096;
};

/// What somebody holds, and how fast it works.
struct Load {
    std::uint32_t slots = 0;
    std::uint32_t outstanding = 0; ///< attempts that it holds, running or not
    bool open = true;              ///< gets work
    bool unreachable = false;      ///< cannot be spoken to now: gets nothing, is asked for nothing
    bool reserved = false;         ///< its slots are there for ranks of worlds
    bool recallUnderWay = false;
    bool recallInVain = false; ///< the last one brought nothing; wait for a report
    double meanElapsedUs = -1; ///< running mean, negative: unknown

    [[nodiscard]] bool takesRanks() const { return open && !unreachable && slots != 0; }
    [[nodiscard]] bool fed() const { return takesRanks() && !reserved; }
    [[nodiscard]] std::uint32_t unstarted() const
    {
        return outstanding > slots ? outstanding - slots : 0;
    }
    [[nodiscard]] std::uint32_t idleSlots() const
    {
        return slots > outstanding ? slots - outstanding : 0;
    }
    void noteEnd(std::chrono::microseconds elapsed)
    {
        constexpr double newest = 0.125; // weight in the running mean
        const auto runTime = static_cast<double>(elapsed.count());
        recallInVain = false;
        meanElapsedUs = meanElapsedUs < 0 ? runTime
                                          : meanElapsedUs + newest * (runTime - meanElapsedUs);
    }
    void noteAnswer(bool any)
    {
        recallUnderWay = false;
        recallInVain = !any;
    }
};

/// @param waiting  attempts that could be handed out
/// @param slots    of all who are fed
/// @return how many attempts somebody should hold beyond its slots
inline std::uint32_t prefetchOf(const Load& load, const FeedingPolicy& policy, std::size_t waiting,
                                std::size_t slots)
{
    double wanted = load.slots;
    if (load.meanElapsedUs >= 0) {
        const auto horizon = static_cast<double>(policy.horizon.count());
        wanted = load.slots * std::ceil(horizon / std::max(load.meanElapsedUs, 1.0));
    }
    // A share of half of what waits, so that the end of the list is dealt one by one.
    const double share = static_cast<double>(waiting) * load.slots
        / (2.0 * static_cast<double>(slots));
    return static_cast<std::uint32_t>(
        std::min({wanted, std::floor(share), static_cast<double>(policy.maxPrefetch)}));
}

/// Unstarted attempts to be called back, and from whom.
template <class Id>
using Recalls = std::vector<std::pair<Id, std::uint32_t>>;

/// Calls everything that has not started back from those that get no work.
template <class Id>
void recallFromClosed(std::map<Id, Load>& loads, Recalls<Id>& orders)
{
    for (auto& [id, load] : loads) {
        const bool closed = !load.open || load.slots == 0;
        if (!closed || load.unreachable || load.outstanding == 0 || load.recallUnderWay
            || load.recallInVain)
            continue;
        load.recallUnderWay = true;
        orders.emplace_back(id, load.outstanding);
    }
}

/// Nobody idles while others have attempts waiting: half of what waits at those who have most.
/// To be asked when nothing can be handed out. At most one recall of each is under way.
template <class Id>
void recallForIdle(std::map<Id, Load>& loads, Recalls<Id>& orders)
{
    std::uint32_t idle = 0;
    std::vector<std::pair<Id, Load*>> laden;
    for (auto& [id, load] : loads) {
        if (load.unreachable)
            continue;
        if (load.recallUnderWay)
            return; // its answer may be all that is needed
        if (!load.fed())
            continue;
        idle += load.idleSlots();
        if (load.unstarted() > 0 && !load.recallInVain)
            laden.emplace_back(id, &load);
    }
    if (idle == 0 || laden.empty())
        return;
    std::ranges::sort(laden, [](const auto& a, const auto& b) {
        return a.second->unstarted() > b.second->unstarted();
    });
    for (auto& [id, load] : laden) {
        const std::uint32_t count = (load->unstarted() + 1) / 2;
        load->recallUnderWay = true;
        orders.emplace_back(id, count);
        if (count >= idle)
            break;
        idle -= count;
    }
}

} // namespace tasuki::farm
