// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpicall.h"

#include "localcalls.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace tasuki::trace {

namespace {

using Named = std::pair<MpiCall, std::string_view>;

/// The first name of each is the one that people are told.
constexpr std::array calls{
    Named{MpiCall::Send, "MPI_Send"},
    Named{MpiCall::Send, "MPI_Bsend"},
    Named{MpiCall::Send, "MPI_Rsend"},
    Named{MpiCall::Ssend, "MPI_Ssend"},
    Named{MpiCall::Recv, "MPI_Recv"},
    Named{MpiCall::Sendrecv, "MPI_Sendrecv"},
    Named{MpiCall::Sendrecv, "MPI_Sendrecv_replace"},
    Named{MpiCall::Isend, "MPI_Isend"},
    Named{MpiCall::Isend, "MPI_Ibsend"},
    Named{MpiCall::Isend, "MPI_Irsend"},
    Named{MpiCall::Issend, "MPI_Issend"},
    Named{MpiCall::Irecv, "MPI_Irecv"},
    Named{MpiCall::Wait, "MPI_Wait"},
    Named{MpiCall::Wait, "MPI_Waitany"},
    Named{MpiCall::Waitall, "MPI_Waitall"},
    Named{MpiCall::Waitall, "MPI_Waitsome"},
    Named{MpiCall::Test, "MPI_Test"},
    Named{MpiCall::Test, "MPI_Testall"},
    Named{MpiCall::Test, "MPI_Testany"},
    Named{MpiCall::Test, "MPI_Testsome"},
    Named{MpiCall::Probe, "MPI_Probe"},
    Named{MpiCall::Probe, "MPI_Iprobe"},
    Named{MpiCall::Probe, "MPI_Request_get_status"},
    Named{MpiCall::Barrier, "MPI_Barrier"},
    Named{MpiCall::Bcast, "MPI_Bcast"},
    Named{MpiCall::Reduce, "MPI_Reduce"},
    Named{MpiCall::Allreduce, "MPI_Allreduce"},
    Named{MpiCall::Gather, "MPI_Gather"},
    Named{MpiCall::Gather, "MPI_Gatherv"},
    Named{MpiCall::Scatter, "MPI_Scatter"},
    Named{MpiCall::Scatter, "MPI_Scatterv"},
    Named{MpiCall::Allgather, "MPI_Allgather"},
    Named{MpiCall::Allgather, "MPI_Allgatherv"},
    Named{MpiCall::Alltoall, "MPI_Alltoall"},
    Named{MpiCall::Alltoall, "MPI_Alltoallv"},
    Named{MpiCall::Alltoall, "MPI_Alltoallw"},
    Named{MpiCall::ReduceScatter, "MPI_Reduce_scatter"},
    Named{MpiCall::ReduceScatter, "MPI_Reduce_scatter_block"},
    Named{MpiCall::Scan, "MPI_Scan"},
    Named{MpiCall::Scan, "MPI_Exscan"},
    Named{MpiCall::Passing, "MPI_Init"},
    Named{MpiCall::Passing, "MPI_Init_thread"},
    Named{MpiCall::Passing, "MPI_Finalize"},
    Named{MpiCall::Passing, "MPI_Comm_dup"},
    Named{MpiCall::Passing, "MPI_Comm_split"},
    Named{MpiCall::Passing, "MPI_Comm_split_type"},
    Named{MpiCall::Passing, "MPI_Comm_create"},
    Named{MpiCall::Passing, "MPI_Comm_create_group"},
    Named{MpiCall::Passing, "MPI_Comm_free"},
    Named{MpiCall::Passing, "MPI_Comm_disconnect"},
    Named{MpiCall::Passing, "MPI_Cart_create"},
    Named{MpiCall::Passing, "MPI_Cart_sub"},
    Named{MpiCall::Passing, "MPI_Graph_create"},
    Named{MpiCall::Passing, "MPI_Dist_graph_create"},
    Named{MpiCall::Passing, "MPI_Dist_graph_create_adjacent"},
    Named{MpiCall::Passing, "MPI_Intercomm_create"},
    Named{MpiCall::Passing, "MPI_Intercomm_merge"},
};
/// What is not the program's, but the tracer's.
constexpr std::array tracerStates{
    Named{MpiCall::Passing, "TRACER_SPILL"},
    Named{MpiCall::Unlogged, "TRACER_OFF"},
};
constexpr std::string_view prefix = "MPI_";

char lower(char letter)
{
    return static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
}

bool sameWord(std::string_view first, std::string_view second)
{
    return std::ranges::equal(first, second, {}, lower, lower);
}

bool isPrefixed(std::string_view name)
{
    return name.size() > prefix.size() && sameWord(name.substr(0, prefix.size()), prefix);
}

std::string_view withoutPrefix(std::string_view name)
{
    return isPrefixed(name) ? name.substr(prefix.size()) : name;
}

} // namespace

MpiCall mpiCallNamed(std::string_view name)
{
    for (const auto& [call, ownName] : tracerStates) {
        if (sameWord(name, ownName))
            return call;
    }
    const bool prefixed = isPrefixed(name);
    name = withoutPrefix(name);
    for (const auto& [call, fullName] : calls) {
        if (sameWord(name, fullName.substr(prefix.size())))
            return call;
    }
    return prefixed && !isLocalCall(name) ? MpiCall::Passing : MpiCall::Other;
}

bool isMpiInit(std::string_view name)
{
    name = withoutPrefix(name);
    return sameWord(name, "Init") || sameWord(name, "Init_thread");
}

bool isMpiFinalize(std::string_view name) { return sameWord(withoutPrefix(name), "Finalize"); }

std::string_view mpiCallName(MpiCall call)
{
    if (call == MpiCall::Passing)
        return "MPI";
    if (call == MpiCall::Unlogged)
        return "TRACER_OFF";
    for (const auto& [known, name] : calls) {
        if (known == call)
            return name;
    }
    return "other";
}

std::string_view mpiFunctionName(std::string_view name)
{
    name = withoutPrefix(name);
    for (const auto& [call, fullName] : calls) {
        if (sameWord(name, fullName.substr(prefix.size())))
            return fullName;
    }
    return {};
}

bool isCollective(MpiCall call) { return call >= MpiCall::Barrier && call <= MpiCall::Scan; }

bool isImmediate(MpiCall call)
{
    return call == MpiCall::Isend || call == MpiCall::Issend || call == MpiCall::Irecv;
}

bool isCompletion(MpiCall call)
{
    return call == MpiCall::Wait || call == MpiCall::Waitall || call == MpiCall::Test;
}

} // namespace tasuki::trace
