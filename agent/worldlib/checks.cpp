// SPDX-License-Identifier: GPL-3.0-or-later
#include "checks.h"

namespace tasuki::world {

int checkBuffer(const void* buffer, int count, MPI_Datatype type)
{
    if (count < 0)
        return MPI_ERR_COUNT;
    if (type == MPI_DATATYPE_NULL)
        return MPI_ERR_TYPE;
    // Of an absolute address, MPI_BOTTOM is one.
    static_cast<void>(buffer);
    return MPI_SUCCESS;
}

int checkDestination(const Communicator& communicator, int rank)
{
    const bool there = rank >= 0 && rank < communicator.peers().size();
    return there || rank == MPI_PROC_NULL ? MPI_SUCCESS : MPI_ERR_RANK;
}

int checkSource(const Communicator& communicator, int rank)
{
    return rank == MPI_ANY_SOURCE ? MPI_SUCCESS : checkDestination(communicator, rank);
}

int checkSendTag(int tag) { return tag >= 0 ? MPI_SUCCESS : MPI_ERR_TAG; }

int checkReceiveTag(int tag) { return tag >= 0 || tag == MPI_ANY_TAG ? MPI_SUCCESS : MPI_ERR_TAG; }

int checkRoot(const Communicator& communicator, int root)
{
    if (communicator.isInter() && (root == MPI_ROOT || root == MPI_PROC_NULL))
        return MPI_SUCCESS;
    return root >= 0 && root < communicator.peers().size() ? MPI_SUCCESS : MPI_ERR_ROOT;
}

} // namespace tasuki::world
