// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "predictor.h"
#include "ranking.h"
#include "rankingboard.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stop_token>

namespace tasuki::plan {

struct SearchLimits {
    std::size_t keep = 1000;   ///< how many of the best allocations are told
    std::uint32_t threads = 1; ///< at least one
    /// Which share of the work this process does, of how many.
    std::uint32_t share = 0;
    std::uint32_t shares = 1;
};

/// @return an Error of kind Input when the nodes have fewer slots than there are tasks
Result<void> checkRoom(const Environment& environment, std::uint32_t tasks);

/// Tries all allocations, or this process's share of them.
///
/// Threads take beginnings of allocations in turn and keep a ranking each; nothing else is shared but
/// the count of what was tried.
///
/// Precondition: checkRoom().
/// @param predictor  is cloned for every thread
/// @param stop       asked for often; what was tried until then is returned
/// @param tried      grows while the search goes on, for progress; may be read by any thread
/// @param board      gets what has been found so far whenever somebody wants it; may be null
Ranking search(const Environment& environment, std::uint32_t tasks, const Predictor& predictor,
               const SearchLimits& limits, const std::stop_token& stop,
               std::atomic<std::uint64_t>& tried, RankingBoard* board = nullptr);

} // namespace tasuki::plan
