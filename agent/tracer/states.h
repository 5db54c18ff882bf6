// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tasuki::tracer {

/// A kind of call, as the log names it.
enum class State : std::uint16_t {
    Init,
    Finalize,
    Send,
    Ssend,
    Bsend,
    Rsend,
    Recv,
    Sendrecv,
    SendrecvReplace,
    Isend,
    Issend,
    Ibsend,
    Irsend,
    Irecv,
    Wait,
    Waitall,
    Waitany,
    Waitsome,
    Test,
    Testall,
    Testany,
    Testsome,
    Probe,
    Iprobe,
    RequestGetStatus,
    Barrier,
    Bcast,
    Reduce,
    Allreduce,
    Gather,
    Gatherv,
    Scatter,
    Scatterv,
    Allgather,
    Allgatherv,
    Alltoall,
    Alltoallv,
    Alltoallw,
    ReduceScatter,
    ReduceScatterBlock,
    Scan,
    Exscan,
    CommDup,
    CommSplit,
    CommSplitType,
    CommCreate,
    CommCreateGroup,
    CommFree,
    CommDisconnect,
    CartCreate,
    CartSub,
    GraphCreate,
    DistGraphCreate,
    DistGraphCreateAdjacent,
    IntercommCreate,
    IntercommMerge,
    Spill, ///< not the program's: events go to a file because memory is used up
    Off,   ///< the program does not want to be logged

// All other calls of the mpi.h that the tracer is built for: they are named, and not followed.
#define TASUKI_OTHER_STATE(name) name,
#include "tracer/otherstates.inc"
#undef TASUKI_OTHER_STATE
};

/// Those that are not made of mpi.h.
inline constexpr std::size_t ownStateCount = static_cast<std::size_t>(State::Off) + 1;
inline constexpr std::size_t stateCount = ownStateCount
#define TASUKI_OTHER_STATE(name) +1
#include "tracer/otherstates.inc"
#undef TASUKI_OTHER_STATE
    ;

/// What the begin of a call tells besides its time.
enum class Words : std::uint8_t {
    Requests,     ///< req=, where there are any
    Collective,   ///< root=, where there is one; bytes= and comm=
    Communicator, ///< comm=
};

struct StateInfo {
    std::string_view name;   ///< of the call without "MPI_", in capitals; of others, with it
    std::string_view colour; ///< of X11, and a bitmap of old viewers
    Words words = Words::Requests;
};

const StateInfo& stateInfo(State state);

/// Record types. MPI_Recv and MPI_Send have the numbers that programs without names expect.
int beginId(State state);
int endId(State state);

} // namespace tasuki::tracer
