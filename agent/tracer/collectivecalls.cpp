// SPDX-License-Identifier: GPL-3.0-or-later
// Collective calls in which every task contributes as much. The bytes that are logged are one
// contribution: what one task gives, or gets where the root alone gives.
#include "calllog.h"
#include "exported.h"
#include "real.h"

using namespace tasuki::tracer;

namespace {

/// What a call with a send and a receive side moves, where either may be "in place".
struct Sides {
    const void* sendBuffer;
    int sendCount;
    MPI_Datatype sendType;
    int receiveCount;
    MPI_Datatype receiveType;

    [[nodiscard]] std::uint64_t bytes() const
    {
        return sendBuffer == MPI_IN_PLACE ? bytesOf(receiveCount, receiveType)
                                          : bytesOf(sendCount, sendType);
    }
};

bool isRoot(int root, MPI_Comm communicator)
{
    int inter = 0;
    int rank = 0;
    real::Comm_test_inter(communicator, &inter);
    real::Comm_rank(communicator, &rank);
    return root == (inter != 0 ? MPI_ROOT : rank);
}

} // namespace

TASUKI_MPI int MPI_Barrier(MPI_Comm communicator)
{
    CallLog call{State::Barrier};
    call.beginCollective(communicator, noRoot, [] { return std::uint64_t{0}; });
    return call.end(real::Barrier(communicator));
}

TASUKI_MPI int MPI_Bcast(void* buffer, int count, MPI_Datatype type, int root,
                         MPI_Comm communicator)
{
    CallLog call{State::Bcast};
    call.beginCollective(communicator, root, [&] { return bytesOf(count, type); });
    return call.end(real::Bcast(buffer, count, type, root, communicator));
}

TASUKI_MPI int MPI_Reduce(const void* sendBuffer, void* receiveBuffer, int count, MPI_Datatype type,
                          MPI_Op operation, int root, MPI_Comm communicator)
{
    CallLog call{State::Reduce};
    call.beginCollective(communicator, root, [&] { return bytesOf(count, type); });
    return call.end(
        real::Reduce(sendBuffer, receiveBuffer, count, type, operation, root, communicator));
}

TASUKI_MPI int MPI_Allreduce(const void* sendBuffer, void* receiveBuffer, int count,
                             MPI_Datatype type, MPI_Op operation, MPI_Comm communicator)
{
    CallLog call{State::Allreduce};
    call.beginCollective(communicator, noRoot, [&] { return bytesOf(count, type); });
    return call.end(
        real::Allreduce(sendBuffer, receiveBuffer, count, type, operation, communicator));
}

TASUKI_MPI int MPI_Scan(const void* sendBuffer, void* receiveBuffer, int count, MPI_Datatype type,
                        MPI_Op operation, MPI_Comm communicator)
{
    CallLog call{State::Scan};
    call.beginCollective(communicator, noRoot, [&] { return bytesOf(count, type); });
    return call.end(real::Scan(sendBuffer, receiveBuffer, count, type, operation, communicator));
}

TASUKI_MPI int MPI_Exscan(const void* sendBuffer, void* receiveBuffer, int count, MPI_Datatype type,
                          MPI_Op operation, MPI_Comm communicator)
{
    CallLog call{State::Exscan};
    call.beginCollective(communicator, noRoot, [&] { return bytesOf(count, type); });
    return call.end(real::Exscan(sendBuffer, receiveBuffer, count, type, operation, communicator));
}

TASUKI_MPI int MPI_Reduce_scatter_block(const void* sendBuffer, void* receiveBuffer, int count,
                                        MPI_Datatype type, MPI_Op operation, MPI_Comm communicator)
{
    CallLog call{State::ReduceScatterBlock};
    call.beginCollective(communicator, noRoot, [&] { return bytesOf(count, type); });
    return call.end(real::Reduce_scatter_block(sendBuffer, receiveBuffer, count, type, operation,
                                               communicator));
}

TASUKI_MPI int MPI_Gather(const void* sendBuffer, int sendCount, MPI_Datatype sendType,
                          void* receiveBuffer, int receiveCount, MPI_Datatype receiveType, int root,
                          MPI_Comm communicator)
{
    CallLog call{State::Gather};
    const Sides sides{sendBuffer, sendCount, sendType, receiveCount, receiveType};
    call.beginCollective(communicator, root, [&] {
        return root == MPI_ROOT ? bytesOf(receiveCount, receiveType) : sides.bytes();
    });
    return call.end(real::Gather(sendBuffer, sendCount, sendType, receiveBuffer, receiveCount,
                                 receiveType, root, communicator));
}

TASUKI_MPI int MPI_Scatter(const void* sendBuffer, int sendCount, MPI_Datatype sendType,
                           void* receiveBuffer, int receiveCount, MPI_Datatype receiveType,
                           int root, MPI_Comm communicator)
{
    CallLog call{State::Scatter};
    call.beginCollective(communicator, root, [&] {
        return isRoot(root, communicator) ? bytesOf(sendCount, sendType)
                                          : bytesOf(receiveCount, receiveType);
    });
    return call.end(real::Scatter(sendBuffer, sendCount, sendType, receiveBuffer, receiveCount,
                                  receiveType, root, communicator));
}

TASUKI_MPI int MPI_Allgather(const void* sendBuffer, int sendCount, MPI_Datatype sendType,
                             void* receiveBuffer, int receiveCount, MPI_Datatype receiveType,
                             MPI_Comm communicator)
{
    CallLog call{State::Allgather};
    const Sides sides{sendBuffer, sendCount, sendType, receiveCount, receiveType};
    call.beginCollective(communicator, noRoot, [&] { return sides.bytes(); });
    return call.end(real::Allgather(sendBuffer, sendCount, sendType, receiveBuffer, receiveCount,
                                    receiveType, communicator));
}

TASUKI_MPI int MPI_Alltoall(const void* sendBuffer, int sendCount, MPI_Datatype sendType,
                            void* receiveBuffer, int receiveCount, MPI_Datatype receiveType,
                            MPI_Comm communicator)
{
    CallLog call{State::Alltoall};
    const Sides sides{sendBuffer, sendCount, sendType, receiveCount, receiveType};
    call.beginCollective(communicator, noRoot, [&] { return sides.bytes(); });
    return call.end(real::Alltoall(sendBuffer, sendCount, sendType, receiveBuffer, receiveCount,
                                   receiveType, communicator));
}
