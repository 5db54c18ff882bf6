// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"

#include "domain/result.h"

#include <string>

namespace tasuki::hierarchy {

/// @return the message as bytes
std::string encode(const ControlMessage& message);
/// @return the message, or an Error of kind Protocol: every number in it is one that there is, rows
///         stand in order, and seats that members hold are those of their table
Result<ControlMessage> decode(const std::string& bytes);

} // namespace tasuki::hierarchy
