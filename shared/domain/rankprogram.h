// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ids.h"
#include "phrase.h"

#include <chrono>
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

/// Why a program that asks for a restart point gets none. The numbers are those of the link.
enum class PointObstacle : std::uint32_t {
    None = 0,
    NotKept = 1,         ///< no messages are kept, or not any more
    Leaving = 2,         ///< what it has sent takes long to other hosts
    UnderWay = 3,        ///< a request is not done
    Communicators = 4,   ///< others than at the first one
    Files = 5,           ///< it has a file open that it writes
    OutputElsewhere = 6, ///< its output goes into a file, or to another program
    OutputMissing = 7,   ///< it has printed more than its agent keeps, or the agent does not answer
    Full = 8,            ///< the log has no room
};
/// @return in words; empty: there is none
Phrase textOf(PointObstacle what);

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
    std::uint32_t restartPoints = 0; ///< of all its lives
    /// How old the latest is, from which another life would go on; none: there is none.
    std::optional<std::chrono::milliseconds> pointAge = {};
    PointObstacle noPoint = PointObstacle::None; ///< when it asked for one last
    bool operator==(const RankProgram&) const = default;
};

} // namespace tasuki
