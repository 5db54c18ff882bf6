// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/command.h"
#include "domain/event.h"
#include "domain/result.h"

#include <functional>
#include <string>
#include <vector>

namespace tasuki::farm {

/// What has come of an operator's order to the system of processors.
struct SystemOutcome {
    std::vector<EventPayload> events; ///< to be recorded, besides what the system's views tell
    Phrase what;                      ///< completes "ann ...", e.g. "drains processor 7"
};

/// Carries out what operators want of the system: of the kinds DrainProcessor to ChangeRole.
/// @param who  as the record shall name the operator
/// @param reply  called once, later, on the reactor's thread; an Error: it was refused
using SystemOrder = std::function<void(const OperatorCommand& command, const std::string& who,
                                       std::function<void(Result<SystemOutcome>)> reply)>;

} // namespace tasuki::farm
