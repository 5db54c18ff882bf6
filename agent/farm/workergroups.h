// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <cstdint>

namespace tasuki::farm {

/// What the master hands work to: a rank that it feeds itself, or the ranks of a subcluster, which
/// their group scheduler feeds. Has the number of its lowest rank.
using GroupId = Id<struct GroupTag, std::int32_t>;

/// Counts how often masters have resynchronised a worker group.
using Era = Id<struct EraTag, std::uint64_t>;
/// Counts the leaderships and resynchronisation calls of a processor's group schedulers, from 1; 0: of none, as between
/// the master and a rank that it feeds itself.
using LeadershipNumber = Id<struct LeadershipNumberTag, std::uint64_t>;

/// @return the worker group of a rank that has no group scheduler
constexpr GroupId groupOf(Rank rank) { return GroupId(rank.value()); }

} // namespace tasuki::farm
