// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mpiruntime.h"

#include <cstdint>
#include <mpi.h>

namespace tasuki {

/// What an MPI message between two transports is; travels as its tag.
enum class PartKind : int {
    Whole = 1,        ///< a message of at most MpiLimits::partBytes
    Announcement = 2, ///< the length of a longer message, 8 bytes; its fragments follow
    Fragment = 3,     ///< the next bytes of the announced message
    Batch = 4,        ///< short messages, each behind its BatchedLength
};

/// All processors of a launch run the same build on the same architecture.
using AnnouncedLength = std::uint64_t;
using BatchedLength = std::uint32_t;

/// What the transport needs of the runtime; apart, so that users of the runtime do not see MPI.
struct MpiRuntime::Channel {
    MPI_Comm messages = MPI_COMM_NULL; ///< carries the transport's messages and nothing else
};

} // namespace tasuki
