// SPDX-License-Identifier: GPL-3.0-or-later
#include "sentstretches.h"

#include <algorithm>
#include <string>

namespace tasuki::world {

namespace {

/// What is there between two positions.
void addPresent(const StreamHead& head, WorldRank to, std::uint64_t from, std::uint64_t until,
                std::vector<SentStretch>& stretches)
{
    while (from < until) {
        const std::optional<Gap> gap = gapBehind(head, from);
        const std::uint64_t end = gap ? std::min(until, std::max(from, gap->from)) : until;
        if (end > from)
            stretches.push_back({to, from, end - from});
        from = gap ? std::max(end, gap->to) : until;
    }
}

} // namespace

std::vector<SentStretch> stretchesToSave(const Segment& segment, WorldRank me,
                                         std::span<const std::uint64_t> sentBefore,
                                         std::uint64_t needed, std::uint64_t most)
{
    std::vector<SentStretch> stretches;
    for (WorldRank to = 0; to < segment.layout().ranks; ++to) {
        const StreamHead& head = segment.stream(me, to);
        // Its own restart point is this one.
        const std::uint64_t from = to == me ? std::max(needed, sentBefore[to]) : sentBefore[to];
        if (!segment.isRemote(to))
            addPresent(head, to, from, head.written.load(std::memory_order_acquire), stretches);
    }
    std::uint64_t all = 0;
    for (const SentStretch& stretch : stretches)
        all += stretch.bytes;
    if (all > most)
        stretches.clear();
    return stretches;
}

void saveStretches(const Segment& segment, WorldRank me, std::span<const SentStretch> stretches,
                   StateWriter& state)
{
    state.put(std::uint64_t{stretches.size()});
    std::string bytes;
    for (const SentStretch& stretch : stretches) {
        state.put(stretch);
        StreamReader reader(segment.log(me), segment.stream(me, stretch.to));
        reader.seek(stretch.position);
        bytes.resize(static_cast<std::size_t>(stretch.bytes));
        reader.read(bytes.data(), bytes.size());
        state.put(bytes);
    }
}

void restoreStretches(StateReader& state, std::span<StreamWriter> out)
{
    for (auto left = state.get<std::uint64_t>(); left != 0 && !state.isAtEnd(); --left) {
        const auto stretch = state.get<SentStretch>();
        const std::string bytes = state.get(static_cast<std::size_t>(stretch.bytes));
        StreamWriter& writer = out[stretch.to];
        if (!writer.skipTo(stretch.position))
            return; // who needs it finds that it is not there
        const std::uint64_t there = std::min(stretch.bytes, writer.end() - stretch.position);
        if (writer.append(bytes.data() + there, stretch.bytes - there))
            writer.publish();
    }
}

} // namespace tasuki::world
