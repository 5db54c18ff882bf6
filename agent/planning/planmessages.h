// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "plan/ranking.h"
#include "transport/transport.h"

#include <cstdint>
#include <variant>

namespace tasuki::planning {

/// How many allocations the sender has tried; now and then, so that the receiver also knows that it
/// lives. To rank 0, and from it.
struct Tried {
    std::uint64_t allocations = 0;
    bool operator==(const Tried&) const = default;
};

/// What the sender's share of the search has come to; its last message. To rank 0.
struct Found {
    plan::Ranking ranking;
    bool whole = false; ///< all of the share was tried
};

/// Come to an end with what was tried. From rank 0.
struct Stop {};

using PlanMessage = std::variant<Tried, Found, Stop>;

Message encode(const PlanMessage& message);

/// @param keep, tasks, nodes  what a ranking must agree with
/// @return an Error of kind Protocol for anything that is no message
Result<PlanMessage> decode(const Message& bytes, std::size_t keep, std::uint32_t tasks,
                           std::uint32_t nodes);

} // namespace tasuki::planning
