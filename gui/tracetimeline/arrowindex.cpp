// SPDX-License-Identifier: GPL-3.0-or-later
#include "arrowindex.h"

#include <algorithm>

namespace tasuki {

ArrowIndex::ArrowIndex(const plan::Timeline& timeline) : m_timeline(timeline)
{
    m_byBegin.reserve(timeline.arrows.size());
    for (std::uint32_t i = 0; i < timeline.arrows.size(); ++i) {
        const plan::TimelineArrow& arrow = timeline.arrows[i];
        if (arrow.from.value() < timeline.tasks && arrow.to.value() < timeline.tasks)
            m_byBegin.push_back(i);
    }
    m_byEnd = m_byBegin;
    const auto begin = [this](std::uint32_t arrow) { return beginOf(arrow); };
    const auto end = [this](std::uint32_t arrow) { return endOf(arrow); };
    if (!std::ranges::is_sorted(m_byBegin, {}, begin))
        std::ranges::stable_sort(m_byBegin, {}, begin);
    std::ranges::stable_sort(m_byEnd, {}, end);
    for (std::size_t i = 0; i < m_byBegin.size(); ++i) {
        if (i % blockSize == 0)
            m_blockEnd.push_back(endOf(m_byBegin[i]));
        else
            m_blockEnd.back() = std::max(m_blockEnd.back(), endOf(m_byBegin[i]));
    }
}

Nanoseconds ArrowIndex::beginOf(std::uint32_t arrow) const
{
    const plan::TimelineArrow& item = m_timeline.arrows[arrow];
    return toNanoseconds(std::min(item.sentUs, item.arrivedUs));
}

Nanoseconds ArrowIndex::endOf(std::uint32_t arrow) const
{
    const plan::TimelineArrow& item = m_timeline.arrows[arrow];
    return toNanoseconds(std::max(item.sentUs, item.arrivedUs));
}

std::size_t ArrowIndex::countIn(Nanoseconds begin, Nanoseconds end) const
{
    const auto begun = std::ranges::partition_point(
        m_byBegin, [this, end](std::uint32_t arrow) { return beginOf(arrow) < end; });
    const auto ended = std::ranges::partition_point(
        m_byEnd, [this, begin](std::uint32_t arrow) { return endOf(arrow) < begin; });
    return static_cast<std::size_t>((begun - m_byBegin.begin()) - (ended - m_byEnd.begin()));
}

void ArrowIndex::forEachIn(Nanoseconds begin, Nanoseconds end,
                           const std::function<bool(std::uint32_t)>& visit) const
{
    const auto begun = std::ranges::partition_point(
        m_byBegin, [this, end](std::uint32_t arrow) { return beginOf(arrow) < end; });
    const auto count = static_cast<std::size_t>(begun - m_byBegin.begin());
    for (std::size_t block = 0; block * blockSize < count; ++block) {
        if (m_blockEnd[block] < begin)
            continue;
        const std::size_t last = std::min(count, (block + 1) * blockSize);
        for (std::size_t i = block * blockSize; i < last; ++i) {
            if (endOf(m_byBegin[i]) >= begin && !visit(m_byBegin[i]))
                return;
        }
    }
}

void ArrowIndex::forEachArrivedUntil(Nanoseconds time,
                                     const std::function<bool(std::uint32_t)>& visit) const
{
    auto at = std::ranges::partition_point(
        m_byEnd, [this, time](std::uint32_t arrow) { return endOf(arrow) <= time; });
    while (at != m_byEnd.begin() && visit(*--at)) {}
}

std::size_t ArrowIndex::memoryBytes() const
{
    return (m_byBegin.capacity() + m_byEnd.capacity()) * sizeof(std::uint32_t)
        + m_blockEnd.capacity() * sizeof(Nanoseconds);
}

} // namespace tasuki
