// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/systemwords.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <optional>
#include <string>
#include <utility>
#include <vector>

/// Topologies: which processors a system consists of, and when one of them counts as lost. Ranges
/// are in topologyrules.h; what a topology makes of the processors of a launch is a Layout.
namespace tasuki::config {

/// How often holders of ranks may be replaced before a rank is given up.
struct RestartIntensity {
    std::uint32_t count = 3;         ///< takeovers, 0 to 100000; 0: none, each loss is for good
    std::chrono::seconds within{60}; ///< in any such time, 1 to 1000000 s
    bool operator==(const RestartIntensity&) const = default;
};

/// The program that runs as the ranks of a subcluster.
struct WorldSpec {
    std::string command;   ///< one line for the shell
    std::string directory; ///< to run in; empty: that of the run
    /// Added to the environment, by name.
    std::vector<std::pair<std::string, std::string>> environment = {};
    std::optional<std::chrono::seconds> deadline = {}; ///< it is killed then, 1 s to 10 years
    bool deterministic = true; ///< who is given the same messages does the same
    /// Of each rank, so much of its messages is kept, 0 to 65536 MiB; none: 256 where there are standbys.
    std::optional<std::uint32_t> logMb = {};
    static constexpr std::uint32_t usualLogMb = 256;

    /// What is kept in a subcluster with so many standbys; 0: nothing.
    [[nodiscard]] std::uint32_t logMbOf(std::uint32_t standbys) const
    {
        return deterministic ? logMb.value_or(standbys == 0 ? 0 : usualLogMb) : 0;
    }
    bool operator==(const WorldSpec&) const = default;
};

/// Units that form one world.
struct SubclusterSpec {
    std::string name;          ///< 1 to 64 letters, digits, - or _; no two alike
    std::uint32_t active = 1;  ///< processors that hold a rank, 1 to 100000
    std::uint32_t standby = 0; ///< processors that wait to take one over, 0 to 100000
    std::uint32_t io = 0;      ///< processors that pass data in and out, 0 to 100000
    std::uint32_t minimum = 1; ///< with fewer ranks held it is down; 0 to active
    /// Whose processors it takes; none: what the subclusters that name hosts leave. No repeats.
    std::vector<std::string> hosts = {};
    /// How many units the processors of a host make, 1 to all; none: one.
    std::optional<std::uint32_t> units = {};
    RestartIntensity restarts = {};
    bool dedicatedMaster = false; ///< one more processor does nothing but being cluster master
    std::optional<WorldSpec> world = {}; ///< none: its ranks run tasks
    bool operator==(const SubclusterSpec&) const = default;

    /// All that it consists of, the dedicated master too.
    [[nodiscard]] std::uint64_t processors() const
    {
        return std::uint64_t{active} + standby + io + (dedicatedMaster ? 1U : 0U);
    }
};

/// A system of subclusters.
struct Topology {
    std::chrono::milliseconds heartbeat{100}; ///< between two beats, 10 to 10000 ms
    std::uint32_t suspectAfter = 3;           ///< heartbeats without a beat, 1 to 9999
    std::uint32_t lostAfter = 10; ///< heartbeats without a beat, more than suspectAfter, to 10000
    DownPolicy policy = DownPolicy::Restart; ///< for the others when a subcluster is down
    bool rejoin = true; ///< who was cut off and gave itself up may come back as a standby
    std::vector<SubclusterSpec> subclusters; ///< 1 to 4096
    bool operator==(const Topology&) const = default;

    /// How many a launch must have.
    [[nodiscard]] std::uint64_t processors() const
    {
        return std::accumulate(
            subclusters.begin(), subclusters.end(), std::uint64_t{0},
            [](std::uint64_t sum, const SubclusterSpec& one) { return sum + one.processors(); });
    }
};

/// What holds without a file: one subcluster "system" of all processors, a unit for each host.
/// @param processors       of the launch; more than the dedicated master
/// @param dedicatedMaster  whether the first one is that
Topology defaultTopology(std::uint32_t processors, bool dedicatedMaster);

} // namespace tasuki::config
