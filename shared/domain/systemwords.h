// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string_view>

/// The words for what a system of subclusters consists of and what happens to it. The numbers are
/// those of the record and of the wire: append, never reorder.
namespace tasuki {

/// What a processor is there for from the start; the order is that of succession.
enum class ProcessorKind : std::uint8_t { DedicatedMaster = 0, Io = 1, Active = 2, Standby = 3 };

/// What a seat is: a rank of a world, a place at a subcluster's edge, or that of a dedicated master.
enum class SeatKind : std::uint8_t { Active = 0, Io = 1, Master = 2 };

/// What is known of a processor. The table of its states: docs/hierarchy.md, "What is seen,
/// and what is done".
enum class Health : std::uint8_t {
    Expected = 0,  ///< has not said that it is ready
    Alive = 1,     ///< beats
    Suspect = 2,   ///< its beats are late
    Condemned = 3, ///< given up, and being killed
    Lost = 4,      ///< dead, or as good as dead
    Fenced = 5,    ///< has given itself up, or is dead by its lease
    Left = 6,      ///< said goodbye: no fault
};

/// What made a processor's health what it is.
enum class HealthCause : std::uint8_t {
    None = 0,
    Late = 1,    ///< no beat for some time
    Silent = 2,  ///< no beat for so long that it counts as lost
    Stopped = 3, ///< silent, and its process is stopped
    Gone = 4,    ///< its process has ended
    Stuck = 5,   ///< it beats, but its main loop stands still
    Missing = 6, ///< was not ready when the others were
    Ordered = 7, ///< an operator wanted it
};

/// Whether a subcluster works.
enum class ClusterState : std::uint8_t {
    Starting = 0,
    Up = 1,
    Down = 2, ///< fewer ranks are held than its minimum
};

/// Which masters there are.
enum class MasterRole : std::uint8_t { Unit = 0, Cluster = 1, System = 2 };

/// What becomes of the others when a subcluster is down.
enum class DownPolicy : std::uint8_t { Continue = 0, Restart = 1, Stop = 2 };

/// What an operator can want of a processor, besides draining it.
enum class ProcessorOrder : std::uint8_t {
    Stop = 0,
    Promote = 1,
    BecomeActive = 2,
    BecomeIo = 3,
    BecomeStandby = 4,
};

/// @return the words in tables, e.g. "I/O", "standby", "suspect", "silent", "cluster", "down"
std::string_view processorKindName(ProcessorKind kind);
std::string_view seatKindName(SeatKind kind);
std::string_view healthName(Health health);
std::string_view healthCauseName(HealthCause cause);
std::string_view masterRoleName(MasterRole role);
std::string_view clusterStateName(ClusterState state);
std::string_view downPolicyName(DownPolicy policy);
std::string_view processorOrderName(ProcessorOrder order);

} // namespace tasuki
