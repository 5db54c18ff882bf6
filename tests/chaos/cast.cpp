// SPDX-License-Identifier: GPL-3.0-or-later
#include "cast.h"

namespace tasuki::testing {

namespace {

constexpr int ofSubcluster = 6;
constexpr int ofUnit = 3;
constexpr int firstStandby = 4; ///< in a subcluster

} // namespace

std::string_view chaosRoleName(ChaosRole role)
{
    switch (role) {
    case ChaosRole::SystemMaster: return "system master";
    case ChaosRole::ClusterMaster: return "cluster master";
    case ChaosRole::UnitMaster: return "unit master";
    case ChaosRole::Active: return "active";
    case ChaosRole::Standby: return "standby";
    }
    return "?";
}

ChaosRole Cast::roleOf(int processor) const
{
    // In a subcluster the numbers go by kind: I/O, active, standby. So the lowest comes first in
    // every order.
    if (firstOf(0, processors) == processor)
        return ChaosRole::SystemMaster;
    if (firstOf(processor - processor % ofSubcluster, ofSubcluster) == processor)
        return ChaosRole::ClusterMaster;
    if (firstOf(processor - processor % ofUnit, ofUnit) == processor)
        return ChaosRole::UnitMaster;
    return processor % ofSubcluster < firstStandby ? ChaosRole::Active : ChaosRole::Standby;
}

std::vector<int> Cast::in(ChaosRole role) const
{
    std::vector<int> found;
    for (int processor = 0; processor < processors; ++processor) {
        if (lives(processor) && roleOf(processor) == role)
            found.push_back(processor);
    }
    return found;
}

int Cast::firstOf(int begin, int count) const
{
    for (int processor = begin; processor < begin + count; ++processor) {
        if (lives(processor))
            return processor;
    }
    return -1;
}

} // namespace tasuki::testing
