// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collective.h"

#include <mpi.h>

#include <vector>

/// Collective operations of one communicator, by messages between two ranks. Buffers are the caller's until they are done.
namespace tasuki::world {

/// Elements at a place.
struct Span {
    void* data = nullptr;
    std::size_t count = 0;
    MPI_Datatype type = MPI_DATATYPE_NULL;

    /// Of a message with them.
    [[nodiscard]] std::size_t bytes() const { return count * shapeOf(type).size; }
};
/// Elements for each rank: counts and places, in elements, or in bytes where `types` are of each rank.
struct Spans {
    void* data = nullptr;
    std::vector<std::size_t> counts;
    std::vector<MPI_Aint> places; ///< in bytes
    std::vector<MPI_Datatype> types;

    [[nodiscard]] Span of(int rank) const
    {
        const auto index = static_cast<std::size_t>(rank);
        return {static_cast<std::byte*>(data) + places[index], counts[index], types[index]};
    }
    /// Equal ones, one after the other.
    static Spans even(void* data, std::size_t count, MPI_Datatype type, int ranks);
    /// @param displacements  in elements
    static Spans uneven(void* data, const int* counts, const int* displacements, MPI_Datatype type,
                        int ranks);
    /// One after the other.
    static Spans parts(void* data, const std::vector<std::size_t>& counts, MPI_Datatype type);
    /// @param displacements  in bytes
    template <class Displacement>
    static Spans mixed(void* data, const int* counts, const Displacement* displacements,
                       const MPI_Datatype* types, int ranks)
    {
        Spans spans;
        spans.data = data;
        for (int rank = 0; rank < ranks; ++rank) {
            spans.counts.push_back(static_cast<std::size_t>(counts[rank]));
            spans.places.push_back(displacements[rank]);
            spans.types.push_back(types[rank]);
        }
        return spans;
    }
};

Collective barrier(Exchange exchange);
Collective broadcast(Exchange exchange, Span span, int root);
/// @param own  of this rank; null data at the root: it stands in its place already
Collective gather(Exchange exchange, Span own, Spans all, int root);
Collective scatter(Exchange exchange, Spans all, Span own, int root);
Collective allgather(Exchange exchange, Span own, Spans all);
/// @param inPlace  what is sent stands where what is received goes
Collective alltoall(Exchange exchange, Spans sent, Spans got, bool inPlace);
/// @param from  null: it stands in `to` already
Collective reduce(Exchange exchange, const void* from, Span to, MPI_Op op, int root);
Collective allreduce(Exchange exchange, const void* from, Span to, MPI_Op op);
/// Each rank gets its part of the whole.
Collective reduceScatter(Exchange exchange, const void* from, void* to,
                         std::vector<std::size_t> counts, MPI_Datatype type, MPI_Op op);
/// @param exclusive  without the rank's own
Collective scan(Exchange exchange, const void* from, Span to, MPI_Op op, bool exclusive);
/// Between neighbours of a topology.
/// @param mirrored  neighbours come in pairs, one on each side: what one gives to one side comes to the other from the other side,
///                  also where both are the same rank
Collective neighbours(Exchange exchange, std::vector<int> sources, std::vector<int> destinations,
                      Spans sent, Spans got, bool mirrored);

} // namespace tasuki::world
