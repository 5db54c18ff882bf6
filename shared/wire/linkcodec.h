// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linkmessages.h"

#include "domain/result.h"

#include <string>
#include <string_view>

namespace tasuki::link {

/// Messages to and from the bytes that a frame carries (see framing.h). Reentrant.
std::string encode(const ClientMessage& message);
std::string encode(const AgentMessage& message);

/// @return an Error of kind Protocol for anything that a peer of this version does not say:
///         broken bytes, unknown kinds, numbers out of range
Result<ClientMessage> decodeClientMessage(std::string_view payload);
/// Tasks of one Events message that had the same settings share one object again.
Result<AgentMessage> decodeAgentMessage(std::string_view payload);

} // namespace tasuki::link
