// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <vector>

namespace tasuki::tracer {

/// What all members of a communicator call it, made by one of them: its rank of MPI_COMM_WORLD above, a
/// count of its own below.
using CommunicatorId = std::uint64_t;

/// MPI_COMM_WORLD, and the only one that every log calls 0.
inline constexpr CommunicatorId worldId = 0;

constexpr CommunicatorId communicatorId(std::uint32_t leader, std::uint32_t count)
{
    return (CommunicatorId{leader} << 32) | count;
}

/// @param ids  of each task the communicators by its own numbers; the first is MPI_COMM_WORLD
/// @return for each task the numbers that the log uses: 0 for MPI_COMM_WORLD, then 1, 2, ... in the
///         order of the ids
std::vector<std::vector<std::uint32_t>> numberCommunicators(
    const std::vector<std::vector<CommunicatorId>>& ids);

} // namespace tasuki::tracer
