// SPDX-License-Identifier: GPL-3.0-or-later
#include "tables.h"

#include <algorithm>
#include <utility>

namespace tasuki::hierarchy {

bool mayGet(const MemberRow& row, const SeatRow& seat)
{
    const bool suits = row.kind == ProcessorKind::Standby ? seat.previous != row.processor
                                                          : servesAs(row.kind, seat.kind);
    const bool isReserved = seat.incarnation == Incarnation();
    return suits && !row.seat && !row.drained && !(isReserved && row.ofStart());
}

namespace {

template <class Rows, class Key>
auto rowOf(Rows& rows, Key key, auto projection) -> decltype(rows.data())
{
    const auto place = std::ranges::lower_bound(rows, key, {}, projection);
    return place != rows.end() && std::invoke(projection, *place) == key ? &*place : nullptr;
}

} // namespace

const MemberRow* ClusterTable::member(ProcessorId processor) const
{
    return rowOf(members, processor, &MemberRow::processor);
}

MemberRow* ClusterTable::member(ProcessorId processor)
{
    return rowOf(members, processor, &MemberRow::processor);
}

SeatRow* ClusterTable::seat(SeatId wanted) { return rowOf(seats, wanted, &SeatRow::seat); }

const SeatRow* ClusterTable::seat(SeatId wanted) const
{
    return rowOf(seats, wanted, &SeatRow::seat);
}

const MemberRow* ClusterTable::holder(SeatId wanted) const
{
    const auto place = std::ranges::find(members, std::optional(wanted), &MemberRow::seat);
    return place == members.end() ? nullptr : &*place;
}

const SeatRow* ClusterTable::vacantSeat(ProcessorKind kind) const
{
    const SeatRow* givenUp = nullptr;
    for (const SeatRow& row : seats) {
        if (!servesAs(kind, row.kind) || holder(row.seat) != nullptr)
            continue;
        if (!row.givenUp)
            return &row;
        givenUp = givenUp == nullptr ? &row : givenUp;
    }
    return givenUp;
}

SeatRow* ClusterTable::vacantSeat(ProcessorKind kind)
{
    const SeatRow* const found = std::as_const(*this).vacantSeat(kind);
    return found == nullptr ? nullptr : seat(found->seat);
}

std::size_t ClusterTable::heldRanks() const
{
    return static_cast<std::size_t>(std::ranges::count_if(members, [this](const MemberRow& row) {
        if (!row.seat || !row.living())
            return false;
        const SeatRow* const held = seat(*row.seat);
        return held != nullptr && held->kind == SeatKind::Active;
    }));
}

} // namespace tasuki::hierarchy
