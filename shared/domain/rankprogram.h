// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ids.h"

#include <cstdint>
#include <optional>
#include <string>

namespace tasuki {

/// How far the program of a world's rank has come. The numbers are those of the link.
enum class ProgramState : std::uint8_t {
    Outside = 0, ///< it has not called MPI_Init
    Running = 1, ///< inside MPI, and it computes
    Waiting = 2, ///< in a call that waits for others
    Over = 3,    ///< it has called MPI_Finalize
};

/// What the program of a world's rank does, as its processor has seen it of late.
struct RankProgram {
    Rank rank;
    ProgramState state = ProgramState::Outside;
    std::string call = {};               ///< of MPI, in which it waits
    std::uint64_t messages = 0;          ///< that it has sent
    std::uint64_t bytes = 0;             ///< in them
    std::uint64_t messagesPerSecond = 0; ///< of late
    /// It goes on where another life was lost, and has come so far, in a hundred, in doing what that did; none: it is beyond.
    std::optional<std::uint32_t> replayed = {};
    bool operator==(const RankProgram&) const = default;
};

} // namespace tasuki
