// SPDX-License-Identifier: GPL-3.0-or-later
// Messages between two ranks, at the pace of the node. A call that is not listed here counts as computation.
#include "call.h"

// The parameters are those of the MPI standard.
// clang-format off
extern "C" {

PACED_CALL(Send,
           (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
           (buffer, count, type, to, tag, comm))
PACED_CALL(Ssend,
           (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
           (buffer, count, type, to, tag, comm))
PACED_CALL(Bsend,
           (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
           (buffer, count, type, to, tag, comm))
PACED_CALL(Rsend,
           (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm),
           (buffer, count, type, to, tag, comm))
PACED_CALL(Recv,
           (void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
            MPI_Status* status),
           (buffer, count, type, from, tag, comm, status))
PACED_CALL(Isend,
           (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
            MPI_Request* request),
           (buffer, count, type, to, tag, comm, request))
PACED_CALL(Issend,
           (const void* buffer, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm,
            MPI_Request* request),
           (buffer, count, type, to, tag, comm, request))
PACED_CALL(Irecv,
           (void* buffer, int count, MPI_Datatype type, int from, int tag, MPI_Comm comm,
            MPI_Request* request),
           (buffer, count, type, from, tag, comm, request))
PACED_CALL(Sendrecv,
           (const void* out, int outCount, MPI_Datatype outType, int to, int outTag, void* in,
            int inCount, MPI_Datatype inType, int from, int inTag, MPI_Comm comm, MPI_Status*
            status),
           (out, outCount, outType, to, outTag, in, inCount, inType, from, inTag, comm, status))
PACED_CALL(Sendrecv_replace,
           (void* buffer, int count, MPI_Datatype type, int to, int outTag, int from, int inTag,
            MPI_Comm comm, MPI_Status* status),
           (buffer, count, type, to, outTag, from, inTag, comm, status))
PACED_CALL(Start, (MPI_Request* request), (request))
PACED_CALL(Startall, (int count, MPI_Request* requests), (count, requests))
PACED_CALL(Wait, (MPI_Request* request, MPI_Status* status), (request, status))
PACED_CALL(Waitall,
           (int count, MPI_Request* requests, MPI_Status* statuses),
           (count, requests, statuses))
PACED_CALL(Waitany,
           (int count, MPI_Request* requests, int* index, MPI_Status* status),
           (count, requests, index, status))
PACED_CALL(Waitsome,
           (int count, MPI_Request* requests, int* ended, int* indices, MPI_Status* statuses),
           (count, requests, ended, indices, statuses))
POLLING_CALL(Test, (MPI_Request* request, int* flag, MPI_Status* status), (request, flag, status))
POLLING_CALL(Testall,
           (int count, MPI_Request* requests, int* flag, MPI_Status* statuses),
           (count, requests, flag, statuses))
POLLING_CALL(Testany,
           (int count, MPI_Request* requests, int* index, int* flag, MPI_Status* status),
           (count, requests, index, flag, status))
POLLING_CALL(Testsome,
           (int count, MPI_Request* requests, int* ended, int* indices, MPI_Status* statuses),
           (count, requests, ended, indices, statuses))
PACED_CALL(Probe, (int from, int tag, MPI_Comm comm, MPI_Status* status), (from, tag, comm, status))
POLLING_CALL(Iprobe,
           (int from, int tag, MPI_Comm comm, int* flag, MPI_Status* status),
           (from, tag, comm, flag, status))
PACED_CALL(Mprobe,
           (int from, int tag, MPI_Comm comm, MPI_Message* message, MPI_Status* status),
           (from, tag, comm, message, status))
POLLING_CALL(Improbe,
           (int from, int tag, MPI_Comm comm, int* flag, MPI_Message* message, MPI_Status*
            status),
           (from, tag, comm, flag, message, status))
PACED_CALL(Mrecv,
           (void* buffer, int count, MPI_Datatype type, MPI_Message* message, MPI_Status*
            status),
           (buffer, count, type, message, status))

} // extern "C"
// clang-format on
