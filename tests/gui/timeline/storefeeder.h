// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "timeline/timelinestore.h"

#include <cstdint>
#include <string>
#include <utility>

namespace tasuki {

/// Fills a store with a history for what is painted. Times in milliseconds from a start.
class StoreFeeder {
public:
    TimelineStore store;

    static constexpr std::int64_t start = 1'763'704'800'000'000; ///< microseconds since 1970, UTC

    static WallTime at(double milliseconds)
    {
        return WallTime(
            std::chrono::microseconds(start + static_cast<std::int64_t>(milliseconds * 1000)));
    }

    void apply(EventPayload payload)
    {
        store.apply({.id = {}, .wallTime = at(0), .monotonic = {}, .payload = std::move(payload)});
    }

    void join(std::int32_t rank, std::uint32_t slots, const std::string& host)
    {
        apply(ProcessorJoined{Rank(rank), Incarnation(1), host, 1, slots});
    }

    /// @return the key of the attempt: tasks are numbered from 0
    AttemptKey add(std::int32_t rank, double begin, double end,
                   Outcome outcome = Outcome::Succeeded)
    {
        const AttemptKey key{TaskId(m_next++), AttemptNumber(1)};
        AttemptFinished finished{.key = key,
                                 .rank = Rank(rank),
                                 .slot = SlotIndex(0),
                                 .disposition = Disposition::Final,
                                 .result = {}};
        finished.result.outcome = outcome;
        finished.result.startedAt = at(begin);
        finished.result.elapsed = at(end) - at(begin);
        apply(finished);
        return key;
    }

    AttemptKey open(std::int32_t rank, double begin)
    {
        const AttemptKey key{TaskId(m_next++), AttemptNumber(1)};
        apply(AttemptStarted{key, Rank(rank), SlotIndex(0), at(begin)});
        return key;
    }

private:
    std::uint32_t m_next = 0;
};

} // namespace tasuki
