// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "world/segment.h"

namespace tasuki::world::testing {

/// What the agent of a rank does when it is rung.
/// @param bridge  of messages in rings or in streams
template <class AnyBridge>
void moveAnnounced(const Segment& segment, WorldRank rank, AnyBridge& bridge)
{
    segment.forEachPending(agentOf(rank), [&bridge](WorldRank to) { bridge.touch(to); });
    bridge.move();
}

} // namespace tasuki::world::testing
