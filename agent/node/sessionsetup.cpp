// SPDX-License-Identifier: GPL-3.0-or-later
#include "sessionsetup.h"

#include "host/hostidentity.h"
#include "membership/firstview.h"
#include "startup/allocation.h"

#include <algorithm>
#include <utility>
#include <vector>

#include <unistd.h>

namespace tasuki {

namespace {

/// A whole host that leaves is told by its masters, each beat by one of them.
constexpr int farewellBeats = 5;
constexpr std::chrono::seconds longestFarewell{1};
/// An idle processor turns at least so often before others think that it is stuck.
constexpr int turnsBeforeSuspicion = 6;
constexpr std::chrono::milliseconds napsForAllHeartbeats{20};
/// What a worker may be late for it to be cautious: half of the silence that makes it lost.
constexpr int cautiousShare = 2;
/// Whoever ends an allocation has signalled all of a host's processes within this.
constexpr std::chrono::milliseconds interruptionGrace{300};
} // namespace

bool hasOtherHosts(const SystemPlan& system, ProcessorId self)
{
    const std::string& ownHost = system.hosts[self.value()];
    return std::ranges::any_of(system.hosts,
                               [&ownHost](const std::string& host) { return host != ownHost; });
}

BackoffPolicy napsWithin(const config::Topology& topology)
{
    BackoffPolicy naps;
    const std::chrono::nanoseconds share = topology.heartbeat * topology.suspectAfter
        / turnsBeforeSuspicion;
    naps.longestIdleNap = std::clamp<std::chrono::nanoseconds>(share, napsForAllHeartbeats,
                                                               naps.longestIdleNap);
    return naps;
}

std::chrono::milliseconds farewellOf(const config::Topology& topology)
{
    return std::min<std::chrono::milliseconds>(topology.heartbeat * farewellBeats, longestFarewell);
}

farm::WorkerIdentity workerIdentity(const Briefing& briefing, const config::Topology& topology,
                                    std::uint32_t slots)
{
    return {.epoch = briefing.epoch,
            .host = hostIdentity().name,
            .pid = ::getpid(),
            .slotCount = slots,
            .cautiousAfter = topology.heartbeat * topology.lostAfter / cautiousShare,
            .holding = {.grace = interruptionGrace, .allFailures = underScheduler()},
            .expected = farm::Welcome{.run = briefing.run.hex, .directory = briefing.directory}};
}

HealthLog healthLogOf(const std::optional<std::string>& path, ProcessorId self, Epoch epoch,
                      const Clock& clock, const SystemPlan& system)
{
    std::vector<std::string> names;
    for (const config::SubclusterSpec& spec : system.topology.subclusters)
        names.push_back(spec.name);
    return {self,
            epoch,
            clock,
            firstView(system.topology, system.layout),
            std::move(names),
            path ? processorLogFile("--health-log", *path, self) : HealthLog::Write()};
}

} // namespace tasuki
