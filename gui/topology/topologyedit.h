// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "cells/editstep.h"
#include "config/topology.h"

#include <chrono>
#include <cstdint>
#include <tuple>

namespace tasuki {

/// What holds for the whole system.
using SystemSettings =
    std::tuple<std::chrono::milliseconds, std::uint32_t, std::uint32_t, DownPolicy, bool>;
/// @return references to it in a topology
template <class Topology>
auto settingsOf(Topology& topology)
{
    return std::tie(topology.heartbeat, topology.suspectAfter, topology.lostAfter, topology.policy,
                    topology.rejoin);
}

/// Values of a topology before and after an edit.
using TopologyEdit = ValueEdit<config::SubclusterSpec, SystemSettings>;
/// @return the way from one topology to another that has as many subclusters
TopologyEdit editBetween(const config::Topology& before, const config::Topology& after);

} // namespace tasuki
