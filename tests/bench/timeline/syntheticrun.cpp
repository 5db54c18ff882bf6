// SPDX-License-Identifier: GPL-3.0-or-later
#include "syntheticrun.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <utility>

namespace tasuki::bench {

namespace {

constexpr std::int64_t runStart = 1'763'704'800'000'000;

Outcome failureOf(std::uint64_t number)
{
    constexpr std::array outcomes{Outcome::Failed, Outcome::Signalled, Outcome::TimedOut,
                                  Outcome::NotStarted, Outcome::Cancelled};
    return outcomes[number % outcomes.size()];
}

} // namespace

void makeRun(std::size_t attempts, const std::function<void(const MadeAttempt&)>& take)
{
    std::mt19937_64 random(attempts);
    std::vector<std::pair<std::int64_t, std::uint32_t>> free;
    for (std::uint32_t lane = 0; lane < laneCount; ++lane)
        free.emplace_back(runStart + lane * 1000, lane);
    std::make_heap(free.begin(), free.end(), std::greater<>());
    for (std::uint32_t task = 0; task < attempts; ++task) {
        std::pop_heap(free.begin(), free.end(), std::greater<>());
        auto& [time, lane] = free.back();
        // 1 ms to 1 s, evenly over the powers of ten.
        const double exponent = 3.0 + static_cast<double>(random() % 3000) / 1000.0;
        MadeAttempt made{task, lane, time,
                         time + static_cast<std::int64_t>(std::pow(10, exponent))};
        if (random() % 500 == 0) {
            made.outcome = failureOf(random());
            if (random() % 4 != 0)
                made.end = made.start + static_cast<std::int64_t>(random() % 50);
        }
        take(made);
        time = made.end + static_cast<std::int64_t>(random() % 3000);
        if (random() % 200 == 0)
            time += static_cast<std::int64_t>(random() % 5'000'000);
        std::push_heap(free.begin(), free.end(), std::greater<>());
    }
}

void fill(TimelineStore& store, std::size_t attempts)
{
    Event event;
    for (std::uint32_t rank = 0; rank < laneCount / slotsPerRank; ++rank) {
        event.payload = ProcessorJoined{Rank(static_cast<std::int32_t>(rank)), Incarnation(1),
                                        "node" + std::to_string(rank / 4), 1, slotsPerRank};
        store.apply(event);
    }
    event.payload = AttemptFinished{};
    auto& finished = std::get<AttemptFinished>(event.payload);
    makeRun(attempts, [&](const MadeAttempt& made) {
        finished.key = {TaskId(made.task), AttemptNumber(1)};
        finished.rank = Rank(static_cast<std::int32_t>(made.lane / slotsPerRank));
        finished.slot = SlotIndex(made.lane % slotsPerRank);
        finished.result.outcome = made.outcome;
        finished.result.startedAt = WallTime(std::chrono::microseconds(made.start));
        finished.result.elapsed = std::chrono::microseconds(made.end - made.start);
        event.wallTime = WallTime(std::chrono::microseconds(made.end));
        store.apply(event);
    });
}

} // namespace tasuki::bench
