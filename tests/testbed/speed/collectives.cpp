// SPDX-License-Identifier: GPL-3.0-or-later
// Calls of many ranks, at the pace of the node. A call that is not listed here counts as computation.
#include "call.h"

// The parameters are those of the MPI standard.
// clang-format off
extern "C" {

PACED_CALL(Barrier, (MPI_Comm comm), (comm))
PACED_CALL(Bcast,
           (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm),
           (buffer, count, type, root, comm))
PACED_CALL(Reduce,
           (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm comm),
           (out, in, count, type, op, root, comm))
PACED_CALL(Allreduce,
           (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (out, in, count, type, op, comm))
PACED_CALL(Scan,
           (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (out, in, count, type, op, comm))
PACED_CALL(Exscan,
           (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (out, in, count, type, op, comm))
PACED_CALL(Reduce_scatter,
           (const void* out, void* in, const int* counts, MPI_Datatype type, MPI_Op op, MPI_Comm
            comm),
           (out, in, counts, type, op, comm))
PACED_CALL(Reduce_scatter_block,
           (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm),
           (out, in, count, type, op, comm))
PACED_CALL(Gather,
           (const void* out, int outCount, MPI_Datatype outType, void* in, int inCount,
            MPI_Datatype inType, int root, MPI_Comm comm),
           (out, outCount, outType, in, inCount, inType, root, comm))
PACED_CALL(Gatherv,
           (const void* out, int outCount, MPI_Datatype outType, void* in, const int* inCounts,
            const int* inStarts, MPI_Datatype inType, int root, MPI_Comm comm),
           (out, outCount, outType, in, inCounts, inStarts, inType, root, comm))
PACED_CALL(Scatter,
           (const void* out, int outCount, MPI_Datatype outType, void* in, int inCount,
            MPI_Datatype inType, int root, MPI_Comm comm),
           (out, outCount, outType, in, inCount, inType, root, comm))
PACED_CALL(Scatterv,
           (const void* out, const int* outCounts, const int* outStarts, MPI_Datatype outType,
            void* in, int inCount, MPI_Datatype inType, int root, MPI_Comm comm),
           (out, outCounts, outStarts, outType, in, inCount, inType, root, comm))
PACED_CALL(Allgather,
           (const void* out, int outCount, MPI_Datatype outType, void* in, int inCount,
            MPI_Datatype inType, MPI_Comm comm),
           (out, outCount, outType, in, inCount, inType, comm))
PACED_CALL(Allgatherv,
           (const void* out, int outCount, MPI_Datatype outType, void* in, const int* inCounts,
            const int* inStarts, MPI_Datatype inType, MPI_Comm comm),
           (out, outCount, outType, in, inCounts, inStarts, inType, comm))
PACED_CALL(Alltoall,
           (const void* out, int outCount, MPI_Datatype outType, void* in, int inCount,
            MPI_Datatype inType, MPI_Comm comm),
           (out, outCount, outType, in, inCount, inType, comm))
PACED_CALL(Alltoallv,
           (const void* out, const int* outCounts, const int* outStarts, MPI_Datatype outType,
            void* in, const int* inCounts, const int* inStarts, MPI_Datatype inType, MPI_Comm
            comm),
           (out, outCounts, outStarts, outType, in, inCounts, inStarts, inType, comm))
PACED_CALL(Ibarrier, (MPI_Comm comm, MPI_Request* request), (comm, request))
PACED_CALL(Ibcast,
           (void* buffer, int count, MPI_Datatype type, int root, MPI_Comm comm, MPI_Request*
            request),
           (buffer, count, type, root, comm, request))
PACED_CALL(Ireduce,
           (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, int root,
            MPI_Comm comm, MPI_Request* request),
           (out, in, count, type, op, root, comm, request))
PACED_CALL(Iallreduce,
           (const void* out, void* in, int count, MPI_Datatype type, MPI_Op op, MPI_Comm comm,
            MPI_Request* request),
           (out, in, count, type, op, comm, request))
PACED_CALL(Comm_dup, (MPI_Comm comm, MPI_Comm* made), (comm, made))
PACED_CALL(Comm_split,
           (MPI_Comm comm, int colour, int key, MPI_Comm* made),
           (comm, colour, key, made))
PACED_CALL(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm* made), (comm, group, made))
PACED_CALL(Comm_free, (MPI_Comm* comm), (comm))
PACED_CALL(Cart_create,
           (MPI_Comm comm, int count, const int* sizes, const int* rings, int reorder, MPI_Comm*
            made),
           (comm, count, sizes, rings, reorder, made))

} // extern "C"
// clang-format on
