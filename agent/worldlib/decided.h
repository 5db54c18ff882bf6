// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "world/determinants.h"
#include "world/segment.h"

#include <cstdint>
#include <optional>
#include <span>

/// Clocks and random numbers as the program asks the system for them: a life that follows is told what the one before was told.
/// The functions of the C library stand in decided.cpp. What MPI itself asks for is not noted.
namespace tasuki::world::decided {

/// What was asked for before MPI_Init.
struct Early {
    std::optional<Segment> segment; ///< of this rank; none: it keeps no messages
    std::span<const Determinants::Value> values;
    bool whole = true; ///< these are all
};

/// The program joins as a rank, on this thread: from now on its endpoint decides.
Early takeEarly();
/// The program is a rank no more.
void leave();
/// Whether this thread is the one whose questions are noted.
bool isNotedThread();

/// While it lives, this thread's questions are not the program's.
class Inside {
public:
    Inside();
    Inside(const Inside&) = delete;
    Inside& operator=(const Inside&) = delete;
    ~Inside();
};

/// Seconds by a clock that does not go back, for MPI_Wtime.
double seconds();

} // namespace tasuki::world::decided
