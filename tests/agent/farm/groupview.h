// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/workergroups.h"

#include "domain/event.h"
#include "domain/ids.h"

#include <cstdint>
#include <map>
#include <optional>

namespace tasuki::farm::testing {

/// What somebody knows of a subcluster that has a group scheduler: a cluster configuration table in the
/// small. The newest version counts.
struct GroupView {
    struct Seat {
        std::optional<ProcessorId> holder;
        Incarnation incarnation;
        bool open = true;
        LossCause cause = LossCause::Gone; ///< why the last holding has ended
    };

    std::uint64_t version = 0;
    GroupId group;
    std::optional<ProcessorId> leader;
    std::map<Rank, Seat> seats;
    std::map<ProcessorId, LossCause> gone;

    /// Tells what has changed since an earlier view, losses first; of a fresh one everything.
    void tell(const GroupView& before, const auto& lost, const auto& held, const auto& opened) const
    {
        const auto earlier = [&before](Rank rank) {
            const auto found = before.seats.find(rank);
            return found == before.seats.end() ? Seat{} : found->second;
        };
        const auto same = [](const Seat& was, const Seat& is) {
            return was.holder == is.holder && was.incarnation == is.incarnation;
        };
        for (const auto& [rank, seat] : seats) {
            const Seat was = earlier(rank);
            if (was.holder && !same(was, seat))
                lost(rank, was.incarnation, seat.cause);
        }
        for (const auto& [rank, seat] : seats) {
            const Seat was = earlier(rank);
            if (!seat.holder)
                continue;
            if (!same(was, seat))
                held(rank, *seat.holder, seat.incarnation);
            if (!same(was, seat) || was.open != seat.open)
                opened(rank, seat.open);
        }
    }
};

} // namespace tasuki::farm::testing
