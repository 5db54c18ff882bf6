// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace tasuki::trace {

/// The MPI calls whose meaning the planner knows.
enum class MpiCall : std::uint8_t {
    Other, ///< anything else: time that passes
    Send,
    Ssend,
    Recv,
    Sendrecv,
    Isend,
    Irecv,
    Wait,
    Waitall,
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Gather,
    Scatter,
    Allgather,
    Alltoall,
};

/// @param name  of a state, with or without "MPI_" before it, in any case: "SEND", "MPI_Send"
MpiCall mpiCallNamed(std::string_view name);
/// @return "MPI_Send" and so on; "other" for Other
std::string_view mpiCallName(MpiCall call);
/// All tasks of the communicator take part.
bool isCollective(MpiCall call);

} // namespace tasuki::trace
