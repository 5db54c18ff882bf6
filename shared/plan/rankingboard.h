// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ranking.h"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>

namespace tasuki::plan {

/// Where a search puts what its threads have found so far, when somebody wants to see it. Costs them
/// next to nothing while nobody does.
class RankingBoard {
public:
    /// @param keep  how many of the best are kept, at least one
    explicit RankingBoard(std::size_t keep) : m_keep(keep) {}

    /// Any thread: each thread of the search puts its findings here soon.
    void want() { m_wanted.fetch_add(1, std::memory_order_relaxed); }
    /// Any thread. @return all that was put here until now
    [[nodiscard]] Ranking shown() const;

    /// A searching thread's place at the board.
    class Place {
    public:
        /// @param board  may be null: nothing is shown then
        Place(RankingBoard* board, std::uint32_t thread) : m_board(board), m_thread(thread) {}

        /// Puts a copy on the board if it is wanted. To be called often.
        void show(const Ranking& ranking)
        {
            if (m_board == nullptr)
                return;
            const std::uint64_t wanted = m_board->m_wanted.load(std::memory_order_relaxed);
            if (wanted == m_shown)
                return;
            m_shown = wanted;
            m_board->put(m_thread, ranking);
        }

    private:
        RankingBoard* m_board;
        std::uint32_t m_thread;
        std::uint64_t m_shown = 0;
    };

private:
    void put(std::uint32_t thread, const Ranking& ranking);

    std::size_t m_keep;
    std::atomic<std::uint64_t> m_wanted{0};
    mutable std::mutex m_mutex;
    std::map<std::uint32_t, Ranking> m_places; ///< by thread
};

} // namespace tasuki::plan
