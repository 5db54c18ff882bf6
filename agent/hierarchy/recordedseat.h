// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "membershipview.h"
#include "tables.h"

#include <optional>

namespace tasuki::hierarchy {

/// Who held a seat last, as the record of a run has it. The record may know more than all tables that
/// are left: who wrote the latest one may be dead, and with it whoever had heard of it.
struct RecordedSeat {
    SeatId seat;
    Incarnation incarnation;
    std::optional<ProcessorId> holder = {}; ///< none: it was let go of, or it is not known
    bool operator==(const RecordedSeat&) const = default;
};

/// @return whether a table, or the one of the seat in a view, is older than the record, so that
///         the holding in it could be given out once more
bool isBehind(const ClusterTable& table, const RecordedSeat& recorded);
bool isBehind(const MembershipView& view, const RecordedSeat& recorded);

} // namespace tasuki::hierarchy
