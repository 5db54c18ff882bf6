// SPDX-License-Identifier: GPL-3.0-or-later
#include "pathindex.h"

#include <algorithm>

namespace tasuki {

PathIndex::PathIndex(const plan::Timeline& timeline) : m_ofTask(timeline.tasks)
{
    for (const plan::PathPiece& piece : timeline.criticalPath) {
        const Nanoseconds begin = toNanoseconds(piece.beginUs);
        const Nanoseconds end = toNanoseconds(piece.endUs);
        if (piece.kind == plan::PathPiece::Kind::Message) {
            add(piece.task.value(), begin, begin);
            add(piece.to.value(), end, end);
        } else {
            add(piece.task.value(), begin, end);
        }
    }
}

void PathIndex::add(std::uint32_t task, Nanoseconds begin, Nanoseconds end)
{
    if (task >= m_ofTask.size())
        return;
    if (m_stays.empty() || m_stays.back().task != task) {
        const Nanoseconds earliest = m_stays.empty() ? begin : m_stays.back().end;
        const Nanoseconds from = std::max(begin, earliest);
        m_ofTask[task].push_back(static_cast<std::uint32_t>(m_stays.size()));
        m_stays.push_back({task, from, from});
    }
    m_stays.back().end = std::max(m_stays.back().end, end);
}

std::size_t PathIndex::jumpsBefore(Nanoseconds time) const
{
    const auto found = std::ranges::partition_point(
        m_stays, [time](const PathStay& stay) { return stay.end < time; });
    return std::min(static_cast<std::size_t>(found - m_stays.begin()), jumps());
}

const PathStay* PathIndex::stayFrom(std::uint32_t task, Nanoseconds time) const
{
    const std::vector<std::uint32_t>& own = m_ofTask[task];
    const auto found = std::ranges::partition_point(
        own, [this, time](std::uint32_t stay) { return m_stays[stay].end < time; });
    return found == own.end() ? nullptr : &m_stays[*found];
}

} // namespace tasuki
