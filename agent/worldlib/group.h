// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "world/segment.h"

#include <mpi.h>

#include <memory>
#include <vector>

namespace tasuki::world {

/// Ranks of the world, in an order. Values are shared: nobody changes one.
struct Group {
    std::vector<WorldRank> members;

    [[nodiscard]] int size() const { return static_cast<int>(members.size()); }
    /// @return the place of a rank of the world; MPI_UNDEFINED: it is not in it
    [[nodiscard]] int rankOf(WorldRank member) const;
};
using SharedGroup = std::shared_ptr<const Group>;

/// Handles of groups. Those of Open MPI know its processes, of which a program has one here.
MPI_Group handleOf(SharedGroup group);
/// @return null: it is no handle of a group
SharedGroup groupOf(MPI_Group handle);
/// The handle is no more. Predefined ones stay.
void freeGroup(MPI_Group handle);
/// Its number in Fortran. Precondition: it is no predefined one.
std::int32_t fortranOf(MPI_Group handle);

} // namespace tasuki::world
