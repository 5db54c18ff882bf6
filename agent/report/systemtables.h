// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/alarms.h"
#include "domain/systemstate.h"

#include <string>

/// The tables of `show` about the failure hierarchy. Every function gives one or more whole lines.
namespace tasuki {

/// When, rank or place, from, to, cause, detection, takeover.
std::string failoverHeading();
std::string failoverRow(const Failover& failover);
std::string failoverJson(const Failover& failover);

/// Event, when, severity, acknowledged, what.
/// @param text  of the event that raised the alarm, as eventText() has it
/// @param now   an acknowledgement can have expired
std::string alarmHeading();
std::string alarmRow(const Alarm& alarm, const std::string& text, WallTime now);
std::string alarmJson(const Alarm& alarm, const std::string& text, WallTime now);

} // namespace tasuki
