// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpicall.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <utility>

namespace tasuki::trace {

namespace {

using Named = std::pair<MpiCall, std::string_view>;

constexpr std::array calls{
    Named{MpiCall::Send, "MPI_Send"},           Named{MpiCall::Ssend, "MPI_Ssend"},
    Named{MpiCall::Recv, "MPI_Recv"},           Named{MpiCall::Sendrecv, "MPI_Sendrecv"},
    Named{MpiCall::Isend, "MPI_Isend"},         Named{MpiCall::Irecv, "MPI_Irecv"},
    Named{MpiCall::Wait, "MPI_Wait"},           Named{MpiCall::Waitall, "MPI_Waitall"},
    Named{MpiCall::Barrier, "MPI_Barrier"},     Named{MpiCall::Bcast, "MPI_Bcast"},
    Named{MpiCall::Reduce, "MPI_Reduce"},       Named{MpiCall::Allreduce, "MPI_Allreduce"},
    Named{MpiCall::Gather, "MPI_Gather"},       Named{MpiCall::Scatter, "MPI_Scatter"},
    Named{MpiCall::Allgather, "MPI_Allgather"}, Named{MpiCall::Alltoall, "MPI_Alltoall"},
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

} // namespace

MpiCall mpiCallNamed(std::string_view name)
{
    if (name.size() > prefix.size() && sameWord(name.substr(0, prefix.size()), prefix))
        name.remove_prefix(prefix.size());
    for (const auto& [call, fullName] : calls) {
        if (sameWord(name, fullName.substr(prefix.size())))
            return call;
    }
    return MpiCall::Other;
}

std::string_view mpiCallName(MpiCall call)
{
    for (const auto& [known, name] : calls) {
        if (known == call)
            return name;
    }
    return "other";
}

bool isCollective(MpiCall call) { return call >= MpiCall::Barrier && call <= MpiCall::Alltoall; }

} // namespace tasuki::trace
