// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/layout.h"
#include "config/topology.h"
#include "hierarchy/membershipview.h"
#include "hierarchy/orders.h"

namespace tasuki {

/// @return what all processors of a launch know before the first word: nobody is ready, the seats
///         are dealt as the layout says, and what the topology says about losses holds
hierarchy::MembershipView firstView(const config::Topology& topology, const config::Layout& layout);

/// @return what a topology says about losses, as the system keeps it
hierarchy::Settings settingsOf(const config::Topology& topology);
hierarchy::ClusterRules rulesOf(const config::SubclusterSpec& spec);

} // namespace tasuki
