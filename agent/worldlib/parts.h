// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "algorithms.h"

/// Reductions of long rows: each rank reduces a part, which it reads from all others. So each byte goes from one process to another
/// at most twice, however many ranks there are, and no copy of the whole is made.
namespace tasuki::world {

/// to = from op to, element by element.
int combine(const void* from, void* to, std::size_t count, MPI_Datatype type, MPI_Op op);

/// Whether a row is so long that parts are faster: the same on all ranks that call with the same count, type and operation.
/// Only with operations of MPI's own: they may be done in any order, and in parts.
bool goesInParts(const Exchange& exchange, std::size_t count, MPI_Datatype type, MPI_Op op);

/// All get the same bits: each part is reduced by one rank.
Collective allreduceInParts(Exchange exchange, const void* from, Span to, MPI_Op op);
Collective reduceInParts(Exchange exchange, const void* from, Span to, MPI_Op op, int root);
Collective reduceScatterInParts(Exchange exchange, const void* from, void* to,
                                std::vector<std::size_t> counts, MPI_Datatype type, MPI_Op op);

} // namespace tasuki::world
