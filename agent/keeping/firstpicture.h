// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/layout.h"
#include "config/topology.h"
#include "hierarchy/picture.h"

namespace tasuki {

/// @return what all processors of a launch know before the first word: nobody is ready, the seats
///         are dealt as the layout says, and what the topology says about losses holds
hierarchy::Picture firstPicture(const config::Topology& topology, const config::Layout& layout);

} // namespace tasuki
