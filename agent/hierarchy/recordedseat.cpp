// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordedseat.h"

namespace tasuki::hierarchy {

bool isBehind(const ClusterTable& table, const RecordedSeat& recorded)
{
    const SeatRow* const seat = table.seat(recorded.seat);
    if (seat == nullptr || seat->incarnation != recorded.incarnation)
        return seat != nullptr && seat->incarnation < recorded.incarnation;
    const MemberRow* const holder = table.holder(recorded.seat);
    return holder != nullptr && holder->processor != recorded.holder;
}

bool isBehind(const MembershipView& view, const RecordedSeat& recorded)
{
    const auto subcluster = view.subclusterOf(recorded.seat);
    return subcluster && isBehind(view.cluster(*subcluster), recorded);
}

} // namespace tasuki::hierarchy
