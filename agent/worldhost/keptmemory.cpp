// SPDX-License-Identifier: GPL-3.0-or-later
#include "keptmemory.h"

namespace tasuki::worldhost {

KeptMemory::SharedSegment KeptMemory::find(const WorldKey& key) const
{
    const auto found = m_segments.find(key);
    return found == m_segments.end() ? nullptr : found->second;
}

void KeptMemory::take(const WorldKey& key, const std::string& path)
{
    if (Result<world::Segment> opened = world::Segment::open(path))
        m_segments[key] = std::make_shared<const world::Segment>(std::move(*opened));
}

std::optional<NotesTaken> KeptMemory::add(const WorldKey& key, const Notes& notes,
                                          SharedSegment own)
{
    SharedSegment segment = own ? std::move(own) : find(key);
    if (segment == nullptr && notes.makes) {
        auto made = world::Segment::create({.ranks = notes.ranks, .logBytes = notes.logBytes});
        if (!made)
            return std::nullopt; // they are sent again, or kept by somebody else
        for (world::WorldRank rank = 0; rank < notes.ranks; ++rank)
            made->setRemote(rank, true);
        segment = m_segments[key] = std::make_shared<const world::Segment>(std::move(*made));
    }
    if (segment == nullptr || segment->layout().ranks != notes.ranks
        || segment->layout().logBytes == 0)
        return std::nullopt;
    world::StreamHead& head = segment->stream(notes.rank, notes.ranks + notes.stream);
    const auto [found, isNew] = m_notes.try_emplace({key, notes.rank, notes.stream},
                                                    segment->log(notes.rank), head, true);
    world::StreamCopy& copy = found->second;
    if (notes.skips && !copy.skipTo(notes.position))
        return std::nullopt;
    const auto added = copy.add(notes.position, notes.bytes);
    if (notes.needed != 0 && notes.needed <= copy.end())
        release(head, notes.stays, notes.needed);
    return NotesTaken{.rank = notes.rank,
                      .stream = notes.stream,
                      .position = copy.end(),
                      .again = added == world::StreamCopy::Added::Gap};
}

void KeptMemory::forgetIf(const std::function<bool(const WorldKey&)>& isOver)
{
    std::erase_if(m_notes,
                  [&](const auto& entry) { return isOver(std::get<WorldKey>(entry.first)); });
    std::erase_if(m_segments, [&](const auto& entry) { return isOver(entry.first); });
}

} // namespace tasuki::worldhost
