// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace tasuki {

/// Makes the views failovers, alarms and processors_health, for people and their queries, where they
/// are missing. Programs that know nothing of them do not look at views.
extern const char* const systemViews;

} // namespace tasuki
