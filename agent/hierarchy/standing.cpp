// SPDX-License-Identifier: GPL-3.0-or-later
#include "standing.h"

#include <array>
#include <cstddef>

namespace tasuki::hierarchy {

namespace {

using enum StandingTurn;

constexpr std::size_t signCount = 4;

/// By sign: Holds, HoldsUnreleased, OverWhileLate, Over.
using StandingRow = std::array<StandingTurn, signCount>;

struct StandingRows {
    StandingRow patient;
    StandingRow impatient;
};

constexpr std::array<StandingRows, 3> standingTable{{
    /* Valid */ {.patient = {Stays, Stays, Suspended, Lapsed},
                 .impatient = {Stays, Stays, Suspended, Lapsed}},
    /* Suspended */
    {.patient = {Valid, Valid, Stays, Stays}, .impatient = {Valid, Valid, Lapsed, Lapsed}},
    /* Lapsed */
    {.patient = {Valid, Stays, Stays, Stays}, .impatient = {Valid, GivesUp, GivesUp, GivesUp}},
}};

} // namespace

StandingTurn turnOf(Standing standing, LeaseSign sign, bool patient)
{
    const StandingRows& rows = standingTable[static_cast<std::size_t>(standing)];
    return (patient ? rows.patient : rows.impatient)[static_cast<std::size_t>(sign)];
}

} // namespace tasuki::hierarchy
