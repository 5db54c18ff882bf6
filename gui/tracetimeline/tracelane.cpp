// SPDX-License-Identifier: GPL-3.0-or-later
#include "tracelane.h"

#include <algorithm>
#include <cassert>

namespace tasuki {

void TraceLane::append(Nanoseconds begin, TraceCategory category)
{
    assert(category < m_categories && (m_begin.empty() || begin >= m_begin.back()));
    m_begin.push_back(begin);
    m_category.push_back(category);
}

void TraceLane::finish()
{
    m_begin.shrink_to_fit();
    m_category.shrink_to_fit();
    const std::size_t blocks = (m_begin.size() + blockSize - 1) / blockSize;
    m_blockBegin.reserve(blocks);
    m_blockTime.reserve(blocks * m_categories);
    m_blockStarts.reserve(blocks * m_categories);
    Sums sums;
    for (std::size_t i = 0; i < m_begin.size(); ++i) {
        if (i % blockSize == 0) {
            m_blockBegin.push_back(m_begin[i]);
            m_blockTime.insert(m_blockTime.end(), sums.time.begin(),
                               sums.time.begin() + static_cast<std::ptrdiff_t>(m_categories));
            m_blockStarts.insert(m_blockStarts.end(), sums.starts.begin(),
                                 sums.starts.begin() + static_cast<std::ptrdiff_t>(m_categories));
        }
        ++sums.starts[m_category[i]];
        if (i + 1 < m_begin.size())
            sums.time[m_category[i]] += m_begin[i + 1] - m_begin[i];
    }
}

/// @return how many blocks begin at a time or before it; at least `from` do
std::size_t TraceLane::blocksUpTo(Nanoseconds time, std::size_t from) const
{
    std::size_t step = 1;
    std::size_t low = from;
    while (low + step <= m_blockBegin.size() && m_blockBegin[low + step - 1] <= time) {
        low += step;
        step *= 2;
    }
    const auto begin = m_blockBegin.begin() + static_cast<std::ptrdiff_t>(low);
    const auto end = m_blockBegin.begin()
        + static_cast<std::ptrdiff_t>(std::min(low + step, m_blockBegin.size()));
    return static_cast<std::size_t>(std::upper_bound(begin, end, time) - m_blockBegin.begin());
}

void TraceLane::loadBlock(std::size_t block, Cursor& cursor) const
{
    const std::size_t at = block * m_categories;
    for (std::size_t i = 0; i < m_categories; ++i) {
        cursor.sums.time[i] = m_blockTime[at + i];
        cursor.sums.starts[i] = m_blockStarts[at + i];
    }
    cursor.block = block;
    cursor.next = block * blockSize + 1;
    ++cursor.sums.starts[m_category[cursor.next - 1]];
}

void TraceLane::moveTo(Nanoseconds time, Cursor& cursor) const
{
    const std::size_t blocks = blocksUpTo(time, cursor.next == 0 ? 0 : cursor.block + 1);
    if (blocks == 0)
        return;
    if (cursor.next == 0 || blocks - 1 > cursor.block)
        loadBlock(blocks - 1, cursor);
    while (cursor.next < m_begin.size() && m_begin[cursor.next] <= time) {
        cursor.sums.time[m_category[cursor.next - 1]] += m_begin[cursor.next]
            - m_begin[cursor.next - 1];
        ++cursor.sums.starts[m_category[cursor.next]];
        ++cursor.next;
    }
    cursor.block = (cursor.next - 1) / blockSize;
}

void TraceLane::summarise(const TimeWindow& window, std::size_t count, TraceColumns& columns) const
{
    columns.resize(count, m_categories);
    if (count == 0)
        return;
    Cursor cursor;
    // Half-open columns: what begins at an edge is in the column after it.
    moveTo(window.edge(count, 0) - 1, cursor);
    Nanoseconds left = window.edge(count, 0);
    for (std::size_t i = 0; i < count; ++i) {
        const Nanoseconds right = std::max(window.edge(count, i + 1), left + 1);
        const float scale = 1.0F / static_cast<float>(right - left);
        const Sums before = cursor.sums;
        const std::size_t first = cursor.next;
        // The stretch that goes on at the left edge counts from there.
        Nanoseconds known = 0;
        const auto add = [&](TraceCategory category, Nanoseconds time) {
            if (time > 0)
                columns.addTime(i, category, static_cast<float>(time) * scale);
            known += std::max<Nanoseconds>(time, 0);
        };
        moveTo(right - 1, cursor);
        if (first == cursor.next) {
            add(first == 0 ? TraceCategories::idle : m_category[first - 1], right - left);
            left = right;
            continue;
        }
        const Nanoseconds entered = first == 0 ? 0 : left - m_begin[first - 1];
        for (std::size_t c = 0; c < m_categories; ++c) {
            Nanoseconds time = cursor.sums.time[c] - before.time[c];
            if (first != 0 && c == m_category[first - 1])
                time -= entered;
            add(static_cast<TraceCategory>(c), time);
            if (cursor.sums.starts[c] != before.starts[c])
                columns.addStarts(i, c, cursor.sums.starts[c] - before.starts[c]);
        }
        const Nanoseconds last = right - m_begin[cursor.next - 1];
        add(m_category[cursor.next - 1], last);
        add(TraceCategories::idle, right - left - known);
        left = right;
    }
}

std::size_t TraceLane::memoryBytes() const
{
    return m_begin.capacity() * sizeof(Nanoseconds) + m_category.capacity()
        + (m_blockBegin.capacity() + m_blockTime.capacity()) * sizeof(Nanoseconds)
        + m_blockStarts.capacity() * sizeof(std::uint32_t);
}

} // namespace tasuki
