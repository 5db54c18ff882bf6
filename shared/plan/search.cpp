// SPDX-License-Identifier: GPL-3.0-or-later
#include "search.h"

#include "enumeration.h"

#include <algorithm>
#include <cassert>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace tasuki::plan {

namespace {

/// Beginnings for each thread and process: enough that all end at about the same time.
constexpr std::size_t beginningsEach = 64;

/// Predicts allocations by the handful and ranks them.
class Batch {
public:
    Batch(Predictor& predictor, std::size_t keep, std::atomic<std::uint64_t>& tried)
        : m_predictor(predictor), m_ranking(keep), m_tried(tried)
    {
        m_allocations.reserve(predictor.lanes());
        m_timesUs.resize(predictor.lanes());
    }

    /// @return whether a handful was predicted
    bool add(const Allocation& allocation)
    {
        m_allocations.push_back(allocation);
        if (m_allocations.size() < m_predictor.lanes())
            return false;
        flush();
        return true;
    }

    void flush()
    {
        if (m_allocations.empty())
            return;
        m_predictor.predict(m_allocations, std::span(m_timesUs).first(m_allocations.size()));
        for (std::size_t index = 0; index < m_allocations.size(); ++index)
            m_ranking.add(m_allocations[index], m_timesUs[index]);
        m_tried.fetch_add(m_allocations.size(), std::memory_order_relaxed);
        m_allocations.clear();
    }

    [[nodiscard]] const Ranking& ranking() const { return m_ranking; }
    Ranking take() { return std::move(m_ranking); }

private:
    Predictor& m_predictor;
    Ranking m_ranking;
    std::atomic<std::uint64_t>& m_tried;
    std::vector<Allocation> m_allocations;
    std::vector<double> m_timesUs;
};

} // namespace

Result<void> checkRoom(const Environment& environment, std::uint32_t tasks)
{
    std::uint64_t slots = 0;
    for (const NodeSpec& node : environment.nodes)
        slots += node.slots;
    if (slots >= tasks)
        return {};
    return Error{.kind = ErrorKind::Input,
                 .message = "the trace has " + std::to_string(tasks) + " tasks, the nodes have "
                     + std::to_string(slots) + (slots == 1 ? " slot" : " slots"),
                 .remedy = "add nodes to the environment, or raise their slots"};
}

Ranking search(const Environment& environment, std::uint32_t tasks, const Predictor& predictor,
               const SearchLimits& limits, const std::stop_token& stop,
               std::atomic<std::uint64_t>& tried, RankingBoard* board)
{
    assert(checkRoom(environment, tasks) && limits.threads > 0 && limits.share < limits.shares);
    const Enumeration enumeration(environment, tasks);
    const std::vector<Allocation> begins = enumeration.beginnings(beginningsEach * limits.threads
                                                                  * limits.shares);
    std::atomic<std::size_t> next = limits.share;
    std::vector<Ranking> rankings(limits.threads, Ranking(limits.keep));
    const auto work = [&](std::uint32_t thread) {
        const std::unique_ptr<Predictor> own = predictor.clone();
        Batch batch(*own, limits.keep, tried);
        RankingBoard::Place place(board, thread);
        for (;;) {
            const std::size_t index = next.fetch_add(limits.shares);
            const bool goesOn = index < begins.size()
                && enumeration.visit(begins[index], [&](const Allocation& allocation) {
                       if (!batch.add(allocation))
                           return true;
                       place.show(batch.ranking());
                       return !stop.stop_requested();
                   });
            if (!goesOn)
                break;
        }
        batch.flush();
        rankings[thread] = batch.take();
    };
    {
        std::vector<std::jthread> others;
        for (std::uint32_t thread = 1; thread < limits.threads; ++thread)
            others.emplace_back([&work, thread] { work(thread); });
        work(0);
    }
    for (std::uint32_t thread = 1; thread < limits.threads; ++thread)
        rankings.front().add(rankings[thread]);
    return std::move(rankings.front());
}

} // namespace tasuki::plan
