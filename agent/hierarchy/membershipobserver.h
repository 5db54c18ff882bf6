// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "decisions.h"
#include "membershipview.h"
#include "messages.h"
#include "orders.h"
#include "standing.h"

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace tasuki::hierarchy {

/// What a membership agent tells the processor that it serves. None may call back into it.
struct MembershipObserver {
    /// Some table has changed.
    std::function<void(const MembershipView&)> changed = [](const MembershipView&) {};
    /// This processor holds another seat, or none.
    std::function<void(std::optional<Holding>)> holding = [](std::optional<Holding>) {};
    /// It holds no seat any more, as an operator wants: MembershipAgent::hasStopped() is to be called when
    /// nothing is done in this one, so that another processor can get it.
    std::function<void(Holding)> letGo = [](Holding) {};
    /// What this processor may do by its lease has changed. While it is not Valid it starts,
    /// reports and leads nothing. From Suspended it goes on as it was. From Lapsed it begins anew
    /// when it is Valid again, if it leads as its own successor; holding(none) and letGo() follow
    /// if it held a seat.
    std::function<void(Standing)> standing = [](Standing) {};
    /// The others go on without this processor: it must kill its tasks and do nothing any more. When
    /// nothing of it is left it may end, or call MembershipAgent::comeBack().
    std::function<void()> fenced = [] {};
    /// It is one of them again, in a new life: a standby, with the view that follows.
    std::function<void()> rejoined = [] {};
    /// It is not let in again: it is to end.
    std::function<void()> shutOut = [] {};
    /// It went on in its place after the others had given it up; MembershipAgent::tellOverlap() is to be called when
    /// it is known how many of its results do not count.
    std::function<void(const Overlap&)> overlapped = [](const Overlap&) {};
    /// Somebody did so; said by the system master, once.
    /// @param lostFor  how long it is known that it was given up; none: it is not
    std::function<void(const Overlap&, std::optional<std::chrono::nanoseconds> lostFor)>
        overlapTold = [](const Overlap&, std::optional<std::chrono::nanoseconds>) {};
    /// Nothing is heard of the system master any more, by whatever way; or something is again.
    std::function<void(bool)> masterSilent = [](bool) {};
    /// The start is overdue; these are not ready. Said by the system master, once.
    std::function<void(std::vector<ProcessorId>)> missing = [](std::vector<ProcessorId>) {};
    /// Thresholds are longer by so much, as this processor was late itself.
    std::function<void(std::chrono::nanoseconds)> lengthened = [](std::chrono::nanoseconds) {};
    /// What was accepted by MembershipAgent::order() cannot be carried out any more, for this reason.
    std::function<void(const TableOrder&, const Phrase&)> givenUp = [](const TableOrder&,
                                                                       const Phrase&) {};
    /// Hears what is decided by the protocol, for tests; outlives the membership agent. Null: nobody does.
    DecisionListener* decisions = nullptr;
};

} // namespace tasuki::hierarchy
