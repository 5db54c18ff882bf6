// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

namespace tasuki::trace {

/// What MPI calls mean to the planner. Calls that differ in nothing that it can know are one: Bsend
/// and Rsend are Send, Gatherv is Gather, Waitany is Wait.
enum class MpiCall : std::uint8_t {
    Other, ///< computation: a state of the user's own, or an MPI call that waits for nobody
    Send,
    Ssend,
    Recv,
    Sendrecv,
    Isend,
    Issend,
    Irecv,
    Wait,
    Waitall,
    Test,  ///< with those before it that completed nothing
    Probe, ///< waits for what the next receive takes
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Gather,
    Scatter,
    Allgather,
    Alltoall,
    ReduceScatter,
    Scan,
    Passing,  ///< MPI_Init, MPI_Comm_split and others: time passes
    Unlogged, ///< no call: the program had its tracing off; nobody knows what it did
};

/// @param name  of a state, with or without "MPI_" before it, in any case: "SEND", "MPI_Send"
///              or "TRACER_OFF" and "TRACER_SPILL", by which a tracer speaks of itself
/// @return Passing for any other name that begins with "MPI_" and is no isLocalCall(), else Other
MpiCall mpiCallNamed(std::string_view name);
/// Where MPI begins and ends for a program: MPI_Init, MPI_Init_thread; MPI_Finalize.
/// @param name  as above
bool isMpiInit(std::string_view name);
bool isMpiFinalize(std::string_view name);
/// @return "MPI_Send" and so on; "MPI" for Passing, "TRACER_OFF" for Unlogged, "other" for Other
std::string_view mpiCallName(MpiCall call);
/// @param name  of a state, with or without "MPI_", in any case
/// @return the function as the standard writes it, if it is one that is followed or passes; else nothing
std::string_view mpiFunctionName(std::string_view name);
/// All tasks of the communicator take part.
bool isCollective(MpiCall call);
/// Returns at once; something else waits for what it has started.
bool isImmediate(MpiCall call);
/// Waits for what immediate calls have started, and does nothing else.
bool isCompletion(MpiCall call);

} // namespace tasuki::trace
