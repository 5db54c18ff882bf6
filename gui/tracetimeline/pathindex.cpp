// SPDX-License-Identifier: GPL-3.0-or-later
#include "pathindex.h"

#include <algorithm>

namespace tasuki {

PathIndex::PathIndex(const plan::Timeline& timeline) : m_timeline(timeline)
{
    for (std::size_t i = 0; i < timeline.criticalPath.size(); ++i) {
        const Tasks tasks = tasksOf(i);
        if (i % blockSize == 0)
            m_blocks.push_back(tasks);
        m_blocks.back().lowest = std::min(m_blocks.back().lowest, tasks.lowest);
        m_blocks.back().highest = std::max(m_blocks.back().highest, tasks.highest);
    }
}

PathIndex::Tasks PathIndex::tasksOf(std::size_t piece) const
{
    const plan::PathPiece& item = m_timeline.criticalPath[piece];
    return {std::min(item.task, item.to).value(), std::max(item.task, item.to).value()};
}

std::pair<std::size_t, std::size_t> PathIndex::piecesIn(Nanoseconds begin, Nanoseconds end) const
{
    const std::vector<plan::PathPiece>& path = m_timeline.criticalPath;
    const auto first = std::ranges::partition_point(path, [begin](const plan::PathPiece& piece) {
        return toNanoseconds(piece.endUs) <= begin;
    });
    const auto last = std::partition_point(first, path.end(), [end](const plan::PathPiece& piece) {
        return toNanoseconds(piece.beginUs) < end;
    });
    return {static_cast<std::size_t>(first - path.begin()),
            static_cast<std::size_t>(last - path.begin())};
}

std::optional<std::pair<std::uint32_t, std::uint32_t>> PathIndex::tasksIn(Nanoseconds begin,
                                                                          Nanoseconds end) const
{
    const auto [first, last] = piecesIn(begin, end);
    if (first == last)
        return std::nullopt;
    Tasks found = tasksOf(first);
    const auto add = [&found](const Tasks& tasks) {
        found.lowest = std::min(found.lowest, tasks.lowest);
        found.highest = std::max(found.highest, tasks.highest);
    };
    for (std::size_t i = first; i < last;) {
        if (i % blockSize == 0 && i + blockSize <= last) {
            add(m_blocks[i / blockSize]);
            i += blockSize;
        } else {
            add(tasksOf(i++));
        }
    }
    return std::pair(found.lowest, found.highest);
}

} // namespace tasuki
