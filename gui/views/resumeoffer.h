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

/// @return none: somebody works on it, nothing is left to do, or its record is not here
std::optional<ResumeOffer> resumeOffer(const Session& session);

} // namespace tasuki
