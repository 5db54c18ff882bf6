// SPDX-License-Identifier: GPL-3.0-or-later
#include "rankingboard.h"

namespace tasuki::plan {

Ranking RankingBoard::shown() const
{
    Ranking all(m_keep);
    const std::lock_guard lock(m_mutex);
    for (const auto& [thread, ranking] : m_places)
        all.add(ranking);
    return all;
}

void RankingBoard::put(std::uint32_t thread, const Ranking& ranking)
{
    const std::lock_guard lock(m_mutex);
    m_places.insert_or_assign(thread, ranking);
}

} // namespace tasuki::plan
