// SPDX-License-Identifier: GPL-3.0-or-later
#include "attemptlayer.h"

#include <algorithm>
#include <array>

namespace tasuki {

namespace {

/// Blocks that are allocated at once, at most: a lane's blocks lie together.
constexpr std::size_t largestChunk = 64;
/// Columns whose blocks are asked for from memory before the first is used.
constexpr std::size_t stripLength = 64;

void prefetch(const AttemptBlock* block)
{
#if defined(__GNUC__)
    const char* bytes = reinterpret_cast<const char*>(block);
    constexpr std::size_t line = 64;
    for (std::size_t i = 0; i < 5; ++i)
        __builtin_prefetch(bytes + i * line);
#else
    static_cast<void>(block);
#endif
}

void add(ColumnSummary& column, const LayerCut& from, const LayerCut& to, Nanoseconds width)
{
    column.starts += to.attempts - from.attempts;
    column.failure = column.failure || from.inFailure || to.failures != from.failures;
    if (width <= 0)
        return;
    const float scale = 1.0F / static_cast<float>(width);
    for (std::size_t kind = 0; kind < endedClassCount; ++kind)
        column.share[kind] += static_cast<float>(to.busy[kind] - from.busy[kind]) * scale;
}

/// Adds a column in which nothing begins or ends.
void addSteady(ColumnSummary& column, const LayerCut& cut, Nanoseconds width)
{
    if (cut.running && width > 0)
        column.share[static_cast<std::size_t>(*cut.running)] += 1;
    column.failure = column.failure || cut.inFailure;
}

/// Makes the cut at a time that is not beyond where it is steady out of one before it.
void advance(LayerCut& cut, Nanoseconds by, Nanoseconds to)
{
    if (!cut.running)
        return;
    cut.busy[static_cast<std::size_t>(*cut.running)] += by;
    cut.inFailure = cut.inFailure && to < cut.steadyUntil;
}

} // namespace

bool AttemptLayer::tryInsert(const EndedAttempt& attempt)
{
    const std::size_t before = blocksBefore(attempt.start + 1);
    if (before == 0) {
        if (!m_index.empty() && m_index.front().start < attempt.seenEnd())
            return false;
        if (m_index.empty())
            m_index.push_back({attempt.start, newBlock()});
        insertAt(0, 0, attempt);
        return true;
    }
    const std::size_t index = before - 1;
    const AttemptBlock& block = *m_index[index].block;
    const unsigned place = block.startsBefore(attempt.start + 1);
    if (block.at(place - 1).seenEnd() > attempt.start)
        return false;
    const bool atEnd = place == block.count;
    if (!atEnd && block.start[place] < attempt.seenEnd())
        return false;
    if (atEnd && before < m_index.size() && m_index[before].start < attempt.seenEnd())
        return false;
    insertAt(index, place, attempt);
    return true;
}

void AttemptLayer::insertAt(std::size_t index, unsigned place, const EndedAttempt& attempt)
{
    AttemptBlock* block = m_index[index].block;
    m_settled = std::min(m_settled, index + 1);
    if (block->count < AttemptBlock::capacity) {
        block->insert(place, attempt);
        m_index[index].start = block->start[0];
        return;
    }
    // Where attempts come in order full blocks stay full.
    const bool last = index + 1 == m_index.size();
    constexpr unsigned half = AttemptBlock::capacity / 2;
    const unsigned split = last ? std::max(place, half) : half;
    AttemptBlock* upper = newBlock();
    block->moveTail(split, *upper);
    if (place < split || (place == split && split < AttemptBlock::capacity))
        block->insert(place, attempt);
    else
        upper->insert(place - split, attempt);
    m_index[index].start = block->start[0];
    m_index.insert(m_index.begin() + static_cast<std::ptrdiff_t>(index) + 1,
                   {upper->start[0], upper});
}

LayerCut AttemptLayer::cutIn(std::size_t before, Nanoseconds time) const
{
    const std::int64_t next = before < m_index.size() ? m_index[before].start
                                                      : AttemptBlock::noStart;
    if (before != 0)
        return m_index[before - 1].block->cutAt(time, next);
    LayerCut nothing;
    nothing.steadyUntil = next * nanosecondsPerMicrosecond;
    return nothing;
}

void AttemptLayer::summarise(const TimeWindow& window, std::span<ColumnSummary> columns) const
{
    settle();
    std::size_t before = blocksBefore(ceilMicrosecond(window.begin));
    Nanoseconds from = window.begin;
    Nanoseconds cutTime = from;
    LayerCut cut = cutIn(before, from);
    std::array<Nanoseconds, stripLength> edges{};
    std::array<std::size_t, stripLength> places{};
    for (std::size_t done = 0; done < columns.size(); done += stripLength) {
        const std::size_t length = std::min(stripLength, columns.size() - done);
        for (std::size_t i = 0; i < length; ++i) {
            edges[i] = window.edge(columns.size(), done + i + 1);
            const std::size_t next = blocksBefore(ceilMicrosecond(edges[i]), before);
            if (next != before)
                prefetch(m_index[next - 1].block);
            before = next;
            places[i] = next;
        }
        for (std::size_t i = 0; i < length; ++i) {
            const Nanoseconds to = edges[i];
            if (to <= cut.steadyUntil) {
                addSteady(columns[done + i], cut, to - from);
            } else {
                advance(cut, from - cutTime, from);
                const LayerCut next = cutIn(places[i], to);
                add(columns[done + i], cut, next, to - from);
                cut = next;
                cutTime = to;
            }
            from = to;
        }
    }
}

bool AttemptLayer::forEachOverlapping(std::int64_t begin, std::int64_t end,
                                      const std::function<bool(const EndedAttempt&)>& visit) const
{
    const std::size_t before = blocksBefore(begin);
    for (std::size_t index = before == 0 ? 0 : before - 1; index < m_index.size(); ++index) {
        const AttemptBlock& block = *m_index[index].block;
        for (unsigned i = 0; i < block.count; ++i) {
            if (block.start[i] >= end)
                return true;
            const EndedAttempt attempt = block.at(i);
            if (attempt.seenEnd() > begin && !visit(attempt))
                return false;
        }
    }
    return true;
}

void AttemptLayer::forEachOfTask(TaskId task,
                                 const std::function<void(const EndedAttempt&)>& visit) const
{
    for (const Entry& entry : m_index) {
        const AttemptBlock& block = *entry.block;
        for (unsigned i = 0; i < block.count; ++i) {
            if (block.task[i] == task.value())
                visit(block.at(i));
        }
    }
}

std::optional<EndedAttempt> AttemptLayer::lastBefore(std::int64_t time) const
{
    const std::size_t before = blocksBefore(time);
    if (before == 0)
        return std::nullopt;
    const AttemptBlock& block = *m_index[before - 1].block;
    return block.at(block.startsBefore(time) - 1);
}

std::optional<EndedAttempt> AttemptLayer::firstAfter(std::int64_t time) const
{
    const std::size_t before = blocksBefore(time + 1);
    if (before > 0) {
        const AttemptBlock& block = *m_index[before - 1].block;
        const unsigned place = block.startsBefore(time + 1);
        if (place < block.count)
            return block.at(place);
    }
    if (before == m_index.size())
        return std::nullopt;
    return m_index[before].block->at(0);
}

std::size_t AttemptLayer::memoryBytes() const
{
    std::size_t blocks = 0;
    for (std::size_t i = 0; i < m_chunks.size(); ++i)
        blocks += std::min(largestChunk, std::size_t{1} << std::min<std::size_t>(i, 16));
    return blocks * sizeof(AttemptBlock) + m_index.capacity() * sizeof(Entry)
        + m_chunks.capacity() * sizeof(m_chunks.front());
}

std::size_t AttemptLayer::blocksBefore(std::int64_t time) const
{
    const auto found = std::partition_point(
        m_index.begin(), m_index.end(), [time](const Entry& entry) { return entry.start < time; });
    return static_cast<std::size_t>(found - m_index.begin());
}

std::size_t AttemptLayer::blocksBefore(std::int64_t time, std::size_t from) const
{
    std::size_t step = 1;
    while (from + step <= m_index.size() && m_index[from + step - 1].start < time) {
        from += step;
        step *= 2;
    }
    // m_index[from - 1] starts before the time, m_index[from + step - 1], if any, does not.
    const auto first = m_index.begin() + static_cast<std::ptrdiff_t>(from);
    const auto last = m_index.begin()
        + static_cast<std::ptrdiff_t>(std::min(from + step - 1, m_index.size()));
    const auto found = std::partition_point(
        first, last, [time](const Entry& entry) { return entry.start < time; });
    return static_cast<std::size_t>(found - m_index.begin());
}

AttemptBlock* AttemptLayer::newBlock()
{
    if (m_chunkUsed == m_chunkSize) {
        m_chunkSize = m_chunks.empty() ? 1 : std::min(largestChunk, m_chunkSize * 2);
        m_chunks.push_back(std::make_unique<AttemptBlock[]>(m_chunkSize));
        m_chunkUsed = 0;
    }
    return &m_chunks.back()[m_chunkUsed++];
}

void AttemptLayer::settle() const
{
    for (; m_settled < m_index.size(); ++m_settled) {
        if (m_settled != 0)
            m_index[m_settled].block->sumUp(*m_index[m_settled - 1].block);
    }
}

} // namespace tasuki
