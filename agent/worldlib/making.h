// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "collective.h"

#include <mpi.h>

#include <cstddef>
#include <cstdint>

/// How members of a communicator agree on a new one.
namespace tasuki::world {

/// Carries an operation to its end. @return an error code
int run(Program& program, Collective collective);
/// Gets the context of a new communicator, the same for all members.
/// @param context  outlives the operation
Collective contextOf(Program& program, SharedCommunicator among, std::uint64_t& context);
/// The context of a new communicator, the same for all members; of an intercommunicator of both sides.
std::uint64_t agreeOnContext(Program& program, const SharedCommunicator& among);
/// The same for some members, who alone call it.
std::uint64_t agreeAmong(Program& program, const SharedCommunicator& from, const Group& members,
                         int tag);
/// Makes and adds one. @return its handle
MPI_Comm makeCommunicator(Program& program, const Communicator& from, std::uint64_t context,
                          Group group);
/// Gives it another side. Contexts of its own side alone are the next two.
void addSide(Communicator& communicator, Group remote);
/// Two ranks tell each other something, under a tag of the user's.
void swapWith(Program& program, const SharedCommunicator& over, int peer, int tag, const void* out,
              std::size_t outBytes, void* in, std::size_t inBytes);
/// Each rank of a side tells each of the other side the same.
/// @param in  so many bytes of each of them
void exchangeBetween(Program& program, const SharedCommunicator& both, const void* out, void* in,
                     std::size_t bytes);

} // namespace tasuki::world
