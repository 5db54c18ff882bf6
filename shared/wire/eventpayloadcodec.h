// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domaincodec.h"
#include "groupcodec.h"

#include "domain/event.h"
#include "domain/result.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tasuki::wire::link {
class Event;
} // namespace tasuki::wire::link

namespace tasuki::link {

/// Settings of the tasks of one message, by their index in it.
using SettingsTable = std::vector<std::shared_ptr<const TaskSettings>>;
/// Gives settings their index.
using SettingsIndex = std::function<std::uint32_t(const std::shared_ptr<const TaskSettings>&)>;

using wire::malformed;

/// Writes what happened; commands are shortened.
/// @param wallUs  wall time of the event: other times are sent as differences to it
void encodePayload(const EventPayload& payload, std::int64_t wallUs, const SettingsIndex& settings,
                   const GroupIndex& groups, wire::link::Event& out);

/// @return an Error of kind Protocol for unknown kinds, words and settings
Result<void> decodePayload(wire::link::Event&& message, std::int64_t wallUs,
                           const SettingsTable& settings, const GroupTable& groups,
                           EventPayload& out);

/// @return the length of the whole command when the event's command is shortened, else 0
std::uint64_t wholeCommandBytes(const wire::link::Event& message);

} // namespace tasuki::link
