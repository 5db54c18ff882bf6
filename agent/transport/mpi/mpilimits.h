// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>

namespace tasuki {

/// How much the MPI transport does at once. The defaults are for work; tests set smaller ones.
struct MpiLimits {
    /// Sends to one peer that MPI holds and has not completed. Small, because towards a dead peer
    /// none of them ever completes, and because many sends to a dead TCP peer without progress
    /// between them can keep MPI busy for ever.
    std::size_t sendsPerPeer = 16;
    /// Longer messages travel in parts of this size; MPI counts bytes in an int.
    std::size_t partBytes = std::size_t{4} << 20U;
    /// Short messages that have to wait for MPI anyway travel together: of at most this size,
    /// so many at once, and no more bytes than shared memory takes without asking the receiver.
    std::size_t batchedBytes = 2000;
    std::size_t batchMessages = 64;
    std::size_t batchBytes = 4000;
    /// What one poll() receives at most: whichever is reached first.
    std::size_t messagesPerPoll = 256;
    std::size_t bytesPerPoll = std::size_t{16} << 20U;
    /// What one poll() hands to MPI for one peer at most.
    std::size_t sendsPerPoll = 256;
};

} // namespace tasuki
