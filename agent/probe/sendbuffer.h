// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "findings.h"
#include "linkfit.h"

#include <cstdint>
#include <vector>

namespace tasuki::probe {

/// @return a size that a link takes about half a second for, but from 256 KiB to 8 MiB
std::uint64_t largeMessageBytes(const LinkFit& fit);

/// A sender may go on while the end of its message still waits for the link: that much there is room
/// for. Between the return of the send and the answer, the link passes what was left.
/// @param links  with fits for all that there are messages of
/// @return the median in bytes; 0: senders wait for nearly everything, or there are no messages
double sendBufferBytes(const std::vector<LargeMessageRecord>& messages,
                       const std::vector<FittedLink>& links);

} // namespace tasuki::probe
