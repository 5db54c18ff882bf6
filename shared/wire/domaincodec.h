// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "domain/task.h"

namespace tasuki::wire {

class TaskSettings;

/// @return an Error of kind Protocol
Error malformed(std::string what);

/// Domain types to and from their wire form. Decoding checks what a hostile or newer peer could
/// have sent (numbers outside their range) and returns an Error of kind Protocol.
void encode(const tasuki::TaskSettings& settings, TaskSettings& out);
Result<tasuki::TaskSettings> decode(const TaskSettings& message);

} // namespace tasuki::wire
