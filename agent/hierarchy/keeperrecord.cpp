// SPDX-License-Identifier: GPL-3.0-or-later
// What the record of a run knows and the tables may not: see RecordedSeat.
#include "keeper.h"

#include <map>
#include <utility>

namespace tasuki::hierarchy {

void Keeper::recall(std::vector<RecordedSeat> seats)
{
    m_recalled = std::move(seats);
    sayRecalled();
    announce();
}

/// Has the tables go on from what is recorded, or tells who writes them.
void Keeper::sayRecalled()
{
    std::erase_if(m_recalled,
                  [this](const RecordedSeat& seat) { return !isBehind(m_picture, seat); });
    if (m_recalled.empty() || !actsAsSystemMaster())
        return;
    std::map<ProcessorId, Recorded> messages;
    for (const RecordedSeat& seat : m_recalled) {
        const SubclusterId subcluster = *m_picture.subclusterOf(seat.seat);
        const auto master = clusterMaster(m_picture.cluster(subcluster), m_away);
        if (!master)
            beginWriting(subcluster); // nobody else would
        if (ClusterKeeper* const writer = writerOf(subcluster))
            writer->recall(seat);
        else if (master && *master != m_self)
            messages[*master].seats.push_back(seat);
    }
    for (auto& [to, message] : messages)
        send(to, std::move(message));
    publish();
}

void Keeper::on(ProcessorId, const Recorded& recorded)
{
    for (const RecordedSeat& seat : recorded.seats) {
        const auto subcluster = m_picture.subclusterOf(seat.seat);
        ClusterKeeper* const writer = subcluster ? writerOf(*subcluster) : nullptr;
        if (writer != nullptr)
            writer->recall(seat);
    }
    publish();
}

} // namespace tasuki::hierarchy
