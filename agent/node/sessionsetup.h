// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "healthlog.h"

#include "domain/clock.h"
#include "farm/worker.h"
#include "membership/briefing.h"
#include "membership/systemplan.h"
#include "reactor/backoff.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>

namespace tasuki {

/// @return whether not all processors are on the host of this one
bool hasOtherHosts(const SystemPlan& system, ProcessorId self);

/// How a processor of this topology sleeps between polls.
BackoffPolicy napsWithin(const config::Topology& topology);

/// How long a processor that was abandoned says that it leaves: SessionEnd::farewell.
std::chrono::milliseconds farewellOf(const config::Topology& topology);

/// What the worker of this processor says of itself.
farm::WorkerIdentity workerIdentity(const Briefing& briefing, const config::Topology& topology,
                                    std::uint32_t slots);

/// @param path  none: nothing is written
HealthLog healthLogOf(const std::optional<std::string>& path, ProcessorId self, Epoch epoch,
                      const Clock& clock, const SystemPlan& system);

} // namespace tasuki
