// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms.h"

/// Collective operations of intercommunicators: what one side gives, the other one gets.
namespace tasuki::world {

Collective barrierBetween(Exchange exchange);
/// @param root  as MPI says it: MPI_ROOT, MPI_PROC_NULL, or a rank of the other side
Collective broadcastBetween(Exchange exchange, Span span, int root);
Collective gatherBetween(Exchange exchange, Span own, Spans all, int root);
Collective scatterBetween(Exchange exchange, Spans all, Span own, int root);
/// Each gives each of the other side its part: of an allgather the same one.
Collective exchangeAllBetween(Exchange exchange, Spans sent, Spans got);
Collective reduceBetween(Exchange exchange, const void* from, Span to, MPI_Op op, int root);
Collective allreduceBetween(Exchange exchange, const void* from, Span to, MPI_Op op);
Collective reduceScatterBetween(Exchange exchange, const void* from, void* to,
                                std::vector<std::size_t> counts, MPI_Datatype type, MPI_Op op);

} // namespace tasuki::world
