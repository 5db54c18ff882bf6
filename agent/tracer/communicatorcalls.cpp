// SPDX-License-Identifier: GPL-3.0-or-later
// Calls that make and free communicators. All members of a new one agree on what to call it.
#include "calllog.h"
#include "exported.h"
#include "real.h"

using namespace tasuki::tracer;

namespace {

/// @param make  calls the real one
template <class Make>
int makeCommunicator(State state, MPI_Comm from, const MPI_Comm* made, Make&& make)
{
    CallLog call{state};
    call.beginCommunicator(from);
    const int result = make();
    if (result == MPI_SUCCESS)
        call.madeCommunicator(*made);
    return call.end(result);
}

template <class Free>
int freeCommunicator(State state, const MPI_Comm* communicator, Free&& free)
{
    CallLog call{state};
    call.beginCommunicator(*communicator);
    call.follow([&](Tracer& tracer) { tracer.communicators().remove(*communicator); });
    return call.end(free());
}

} // namespace

TASUKI_MPI int MPI_Comm_dup(MPI_Comm communicator, MPI_Comm* made)
{
    return makeCommunicator(State::CommDup, communicator, made,
                            [&] { return real::Comm_dup(communicator, made); });
}

TASUKI_MPI int MPI_Comm_dup_with_info(MPI_Comm communicator, MPI_Info info, MPI_Comm* made)
{
    return makeCommunicator(State::CommDup, communicator, made,
                            [&] { return real::Comm_dup_with_info(communicator, info, made); });
}

TASUKI_MPI int MPI_Comm_split(MPI_Comm communicator, int colour, int key, MPI_Comm* made)
{
    return makeCommunicator(State::CommSplit, communicator, made,
                            [&] { return real::Comm_split(communicator, colour, key, made); });
}

TASUKI_MPI int MPI_Comm_split_type(MPI_Comm communicator, int type, int key, MPI_Info info,
                                   MPI_Comm* made)
{
    return makeCommunicator(State::CommSplitType, communicator, made, [&] {
        return real::Comm_split_type(communicator, type, key, info, made);
    });
}

TASUKI_MPI int MPI_Comm_create(MPI_Comm communicator, MPI_Group group, MPI_Comm* made)
{
    return makeCommunicator(State::CommCreate, communicator, made,
                            [&] { return real::Comm_create(communicator, group, made); });
}

TASUKI_MPI int MPI_Comm_create_group(MPI_Comm communicator, MPI_Group group, int tag,
                                     MPI_Comm* made)
{
    return makeCommunicator(State::CommCreateGroup, communicator, made, [&] {
        return real::Comm_create_group(communicator, group, tag, made);
    });
}

TASUKI_MPI int MPI_Cart_create(MPI_Comm communicator, int dimensions, const int sizes[],
                               const int periods[], int reorder, MPI_Comm* made)
{
    return makeCommunicator(State::CartCreate, communicator, made, [&] {
        return real::Cart_create(communicator, dimensions, sizes, periods, reorder, made);
    });
}

TASUKI_MPI int MPI_Cart_sub(MPI_Comm communicator, const int kept[], MPI_Comm* made)
{
    return makeCommunicator(State::CartSub, communicator, made,
                            [&] { return real::Cart_sub(communicator, kept, made); });
}

TASUKI_MPI int MPI_Graph_create(MPI_Comm communicator, int nodes, const int index[],
                                const int edges[], int reorder, MPI_Comm* made)
{
    return makeCommunicator(State::GraphCreate, communicator, made, [&] {
        return real::Graph_create(communicator, nodes, index, edges, reorder, made);
    });
}

TASUKI_MPI int MPI_Dist_graph_create(MPI_Comm communicator, int count, const int nodes[],
                                     const int degrees[], const int targets[], const int weights[],
                                     MPI_Info info, int reorder, MPI_Comm* made)
{
    return makeCommunicator(State::DistGraphCreate, communicator, made, [&] {
        return real::Dist_graph_create(communicator, count, nodes, degrees, targets, weights, info,
                                       reorder, made);
    });
}

TASUKI_MPI int MPI_Dist_graph_create_adjacent(MPI_Comm communicator, int inDegree,
                                              const int sources[], const int sourceWeights[],
                                              int outDegree, const int targets[],
                                              const int targetWeights[], MPI_Info info, int reorder,
                                              MPI_Comm* made)
{
    return makeCommunicator(State::DistGraphCreateAdjacent, communicator, made, [&] {
        return real::Dist_graph_create_adjacent(communicator, inDegree, sources, sourceWeights,
                                                outDegree, targets, targetWeights, info, reorder,
                                                made);
    });
}

TASUKI_MPI int MPI_Intercomm_create(MPI_Comm local, int localLeader, MPI_Comm bridge,
                                    int remoteLeader, int tag, MPI_Comm* made)
{
    return makeCommunicator(State::IntercommCreate, local, made, [&] {
        return real::Intercomm_create(local, localLeader, bridge, remoteLeader, tag, made);
    });
}

TASUKI_MPI int MPI_Intercomm_merge(MPI_Comm communicator, int high, MPI_Comm* made)
{
    return makeCommunicator(State::IntercommMerge, communicator, made,
                            [&] { return real::Intercomm_merge(communicator, high, made); });
}

TASUKI_MPI int MPI_Comm_free(MPI_Comm* communicator)
{
    return freeCommunicator(State::CommFree, communicator,
                            [&] { return real::Comm_free(communicator); });
}

TASUKI_MPI int MPI_Comm_disconnect(MPI_Comm* communicator)
{
    return freeCommunicator(State::CommDisconnect, communicator,
                            [&] { return real::Comm_disconnect(communicator); });
}
