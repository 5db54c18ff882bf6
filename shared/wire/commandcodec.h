// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/command.h"
#include "domain/result.h"

namespace tasuki::wire::link {
class CommandReply;
class CommandRequest;
class OutputReply;
} // namespace tasuki::wire::link

namespace tasuki::link {

/// What operators want and are answered, to and from the wire; the numbers of the requests apart.
/// Decoding returns an Error of kind Protocol for unknown kinds and numbers out of range.
void encodeCommand(const OperatorCommand& command, wire::link::CommandRequest& out);
Result<OperatorCommand> decodeCommand(wire::link::CommandRequest&& message);

void encodeAnswer(const CommandAnswer& answer, wire::link::CommandReply& out);
Result<CommandAnswer> decodeAnswer(wire::link::CommandReply&& message);

void encodeOutput(const OutputAnswer& answer, wire::link::OutputReply& out);
Result<OutputAnswer> decodeOutput(wire::link::OutputReply&& message);

} // namespace tasuki::link
