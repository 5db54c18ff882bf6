// SPDX-License-Identifier: GPL-3.0-or-later
#include "rankname.h"

namespace tasuki {

SeatLabel rankLabel(const std::optional<SystemLaidOut>& layout, Rank rank)
{
    const auto number = static_cast<std::uint32_t>(rank.value());
    SeatLabel label{.subcluster = {}, .kind = SeatKind::Active, .index = number};
    // Ranks are the first seats.
    if (!layout || number >= layout->seats.size() || layout->seats[number].kind != SeatKind::Active
        || layout->seats[number].subcluster.value() >= layout->subclusters.size())
        return label;
    const SeatInfo& seat = layout->seats[number];
    label.index = seat.index;
    if (layout->subclusters.size() > 1)
        label.subcluster = layout->subclusters[seat.subcluster.value()].name;
    return label;
}

std::string rankName(const SystemState& system, Rank rank)
{
    return seatName(rankLabel(system.layout(), rank));
}

} // namespace tasuki
