// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>

namespace tasuki::hierarchy {

/// What a processor may do by its lease: the table is in docs/membership.md.
enum class Standing : std::uint8_t {
    Valid,     ///< its lease holds
    Suspended, ///< its lease ended while it was late itself (it was stopped, or its machine was): it
               ///< starts nothing and reports nothing until it hears whether it has its place still
    Lapsed, ///< its lease is over: it holds no seat and leads nothing, but beats, follows and is counted
};

/// What a look at the leases shows.
enum class LeaseSign : std::uint8_t {
    Holds,
    HoldsUnreleased, ///< but what was held by the one before is not let go of yet
    OverWhileLate,   ///< only as the processor was late itself
    Over,
};

/// What follows for a standing.
enum class StandingTurn : std::uint8_t { Stays, Valid, Suspended, Lapsed, GivesUp };

/// @param patient  whether it has had its standing for no longer than it may wait
StandingTurn turnOf(Standing standing, LeaseSign sign, bool patient);

} // namespace tasuki::hierarchy
