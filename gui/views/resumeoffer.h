// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/session.h"
#include "launchplan.h"

#include <optional>

namespace tasuki {

/// How a run that nobody works on could go on.
struct ResumeOffer {
    LaunchPlan plan;        ///< as its latest life was started
    std::size_t left = 0;   ///< tasks that a resumed run does
    std::size_t failed = 0; ///< failed, skipped or cancelled: those that it does besides, if asked
    bool operator==(const ResumeOffer&) const = default;
};

/// Whether a run file has been written a moment ago: its agent lives, though it may not be seen from here.
bool seemsWritten(const Session& session);

/// How the run would be started that goes on with what is shown.
/// @return with goal Resume; none: somebody works on it, or its record is not here
std::optional<LaunchPlan> nextLife(const Session& session);

/// @return none: somebody works on it, nothing is left to do, or its record is not here
std::optional<ResumeOffer> resumeOffer(const Session& session);

/// @return whether all tasks are of a list: windows have added none, and nobody typed it in. Takes time
///         that grows with the tasks
bool hasListOfItsOwn(const RunState& state);

} // namespace tasuki
