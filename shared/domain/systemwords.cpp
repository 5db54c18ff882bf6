// SPDX-License-Identifier: GPL-3.0-or-later
#include "systemwords.h"

namespace tasuki {

std::string_view processorKindName(ProcessorKind kind)
{
    switch (kind) {
    case ProcessorKind::DedicatedMaster: return "dedicated master";
    case ProcessorKind::Io: return "I/O";
    case ProcessorKind::Active: return "active";
    case ProcessorKind::Standby: return "standby";
    }
    return "unknown";
}

std::string_view seatKindName(SeatKind kind)
{
    switch (kind) {
    case SeatKind::Active: return "rank";
    case SeatKind::Io: return "I/O";
    case SeatKind::Master: return "master";
    }
    return "unknown";
}

std::string_view healthName(Health health)
{
    switch (health) {
    case Health::Expected: return "expected";
    case Health::Alive: return "alive";
    case Health::Suspect: return "suspect";
    case Health::Condemned: return "condemned";
    case Health::Lost: return "lost";
    case Health::Fenced: return "fenced";
    case Health::Left: return "left";
    }
    return "unknown";
}

std::string_view healthCauseName(HealthCause cause)
{
    switch (cause) {
    case HealthCause::None: return "none";
    case HealthCause::Late: return "late";
    case HealthCause::Silent: return "silent";
    case HealthCause::Stopped: return "stopped";
    case HealthCause::Gone: return "gone";
    case HealthCause::Stuck: return "stuck";
    case HealthCause::Missing: return "missing";
    case HealthCause::Ordered: return "ordered";
    }
    return "unknown";
}

std::string_view masterRoleName(MasterRole role)
{
    switch (role) {
    case MasterRole::Unit: return "unit";
    case MasterRole::Cluster: return "cluster";
    case MasterRole::System: return "system";
    }
    return "unknown";
}

std::string_view clusterStateName(ClusterState state)
{
    switch (state) {
    case ClusterState::Starting: return "starting";
    case ClusterState::Up: return "up";
    case ClusterState::Down: return "down";
    }
    return "unknown";
}

std::string_view downPolicyName(DownPolicy policy)
{
    switch (policy) {
    case DownPolicy::Continue: return "continue";
    case DownPolicy::Restart: return "restart";
    case DownPolicy::Stop: return "stop";
    }
    return "unknown";
}

std::string_view processorOrderName(ProcessorOrder order)
{
    switch (order) {
    case ProcessorOrder::Stop: return "stop";
    case ProcessorOrder::Promote: return "promote";
    case ProcessorOrder::BecomeActive: return "become active";
    case ProcessorOrder::BecomeIo: return "become I/O";
    case ProcessorOrder::BecomeStandby: return "become standby";
    }
    return "unknown";
}

} // namespace tasuki
