// SPDX-License-Identifier: GPL-3.0-or-later
// Collective calls in which tasks contribute differently. The bytes that are logged are the task's own
// contribution; of all-to-all calls the mean of what it sends to each.
#include "calllog.h"
#include "exported.h"
#include "real.h"

using namespace tasuki::tracer;

namespace {

int rankIn(MPI_Comm communicator)
{
    int rank = 0;
    real::Comm_rank(communicator, &rank);
    return rank;
}

/// @return how many give to, or get from, each: of an inter-communicator the others
int peersOf(MPI_Comm communicator)
{
    int inter = 0;
    int size = 0;
    real::Comm_test_inter(communicator, &inter);
    if (inter != 0)
        real::Comm_remote_size(communicator, &size);
    else
        real::Comm_size(communicator, &size);
    return size;
}

/// @param typeOf  gives the type of what goes to the i-th
template <class TypeOf>
std::uint64_t meanBytes(const int counts[], MPI_Comm communicator, TypeOf&& typeOf)
{
    const int peers = peersOf(communicator);
    std::uint64_t bytes = 0;
    for (int i = 0; i < peers; ++i)
        bytes += bytesOf(counts[i], typeOf(i));
    return peers > 0 ? bytes / static_cast<std::uint64_t>(peers) : 0;
}

} // namespace

TASUKI_MPI int MPI_Gatherv(const void* sendBuffer, int sendCount, MPI_Datatype sendType,
                           void* receiveBuffer, const int receiveCounts[],
                           const int displacements[], MPI_Datatype receiveType, int root,
                           MPI_Comm communicator)
{
    CallLog call{State::Gatherv};
    call.beginCollective(communicator, root, [&] {
        if (root == MPI_ROOT)
            return std::uint64_t{0};
        return sendBuffer == MPI_IN_PLACE
            ? bytesOf(receiveCounts[rankIn(communicator)], receiveType)
            : bytesOf(sendCount, sendType);
    });
    return call.end(real::Gatherv(sendBuffer, sendCount, sendType, receiveBuffer, receiveCounts,
                                  displacements, receiveType, root, communicator));
}

TASUKI_MPI int MPI_Scatterv(const void* sendBuffer, const int sendCounts[],
                            const int displacements[], MPI_Datatype sendType, void* receiveBuffer,
                            int receiveCount, MPI_Datatype receiveType, int root,
                            MPI_Comm communicator)
{
    CallLog call{State::Scatterv};
    call.beginCollective(communicator, root, [&] {
        if (root == MPI_ROOT)
            return std::uint64_t{0};
        return receiveBuffer == MPI_IN_PLACE ? bytesOf(sendCounts[rankIn(communicator)], sendType)
                                             : bytesOf(receiveCount, receiveType);
    });
    return call.end(real::Scatterv(sendBuffer, sendCounts, displacements, sendType, receiveBuffer,
                                   receiveCount, receiveType, root, communicator));
}

TASUKI_MPI int MPI_Allgatherv(const void* sendBuffer, int sendCount, MPI_Datatype sendType,
                              void* receiveBuffer, const int receiveCounts[],
                              const int displacements[], MPI_Datatype receiveType,
                              MPI_Comm communicator)
{
    CallLog call{State::Allgatherv};
    call.beginCollective(communicator, noRoot, [&] {
        return sendBuffer == MPI_IN_PLACE
            ? bytesOf(receiveCounts[rankIn(communicator)], receiveType)
            : bytesOf(sendCount, sendType);
    });
    return call.end(real::Allgatherv(sendBuffer, sendCount, sendType, receiveBuffer, receiveCounts,
                                     displacements, receiveType, communicator));
}

TASUKI_MPI int MPI_Alltoallv(const void* sendBuffer, const int sendCounts[],
                             const int sendDisplacements[], MPI_Datatype sendType,
                             void* receiveBuffer, const int receiveCounts[],
                             const int receiveDisplacements[], MPI_Datatype receiveType,
                             MPI_Comm communicator)
{
    CallLog call{State::Alltoallv};
    const bool inPlace = sendBuffer == MPI_IN_PLACE;
    call.beginCollective(communicator, noRoot, [&] {
        return meanBytes(inPlace ? receiveCounts : sendCounts, communicator,
                         [&](int) { return inPlace ? receiveType : sendType; });
    });
    return call.end(real::Alltoallv(sendBuffer, sendCounts, sendDisplacements, sendType,
                                    receiveBuffer, receiveCounts, receiveDisplacements, receiveType,
                                    communicator));
}

TASUKI_MPI int MPI_Alltoallw(const void* sendBuffer, const int sendCounts[],
                             const int sendDisplacements[], const MPI_Datatype sendTypes[],
                             void* receiveBuffer, const int receiveCounts[],
                             const int receiveDisplacements[], const MPI_Datatype receiveTypes[],
                             MPI_Comm communicator)
{
    CallLog call{State::Alltoallw};
    const bool inPlace = sendBuffer == MPI_IN_PLACE;
    call.beginCollective(communicator, noRoot, [&] {
        return meanBytes(inPlace ? receiveCounts : sendCounts, communicator,
                         [&](int i) { return inPlace ? receiveTypes[i] : sendTypes[i]; });
    });
    return call.end(real::Alltoallw(sendBuffer, sendCounts, sendDisplacements, sendTypes,
                                    receiveBuffer, receiveCounts, receiveDisplacements,
                                    receiveTypes, communicator));
}

TASUKI_MPI int MPI_Reduce_scatter(const void* sendBuffer, void* receiveBuffer,
                                  const int receiveCounts[], MPI_Datatype type, MPI_Op operation,
                                  MPI_Comm communicator)
{
    CallLog call{State::ReduceScatter};
    call.beginCollective(communicator, noRoot,
                         [&] { return bytesOf(receiveCounts[rankIn(communicator)], type); });
    return call.end(real::Reduce_scatter(sendBuffer, receiveBuffer, receiveCounts, type, operation,
                                         communicator));
}
