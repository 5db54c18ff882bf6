// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "crewmessages.h"
#include "outputmessages.h"
#include "rankmessages.h"

#include "domain/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

/// What master, foremen and workers of a farm tell each other. See docs/farm.md for the
/// conversations.
namespace tasuki::farm {

/// Those that go up the tree stand first.
using FarmMessage = std::variant<
    Hello, Report, Returned, Withdrawn, Peeked, Left, Broken, CrewHello, Mustered, CrewReport,
    OutputFetched, RollCall, Welcome, Assign, Recall, Withdraw, Stop, Peek, Halt, Warn, Noted,
    CrewRollCall, Muster, CrewNoted, Goodbye, RecordWord, FetchOutput, ReleaseOutput>;

/// @return whether it is for a chief or the master; else it is for those whom they lead
bool goesUp(const FarmMessage& message);

/// A message and the life that it belongs to. A receiver drops what is not of its own; Left and
/// Goodbye are about processors, whatever they hold.
///
/// Terms are numbers that the processor of a foreman counts: each leadership has one, and so has
/// each roll call of a rank. Whoever is led echoes what it was led by.
struct Envelope {
    Epoch epoch;
    HeldRank held; ///< by the worker, whichever side sends; none: it is not about a rank
    FarmMessage message;
    std::optional<CrewId> crew = {}; ///< between a foreman and the master: about a crew
    std::uint64_t term = 0;          ///< 0: of no foreman
};

/// @return the message as bytes; captured output and commands are moved out of it
std::string encode(const Envelope& envelope);
/// @return the message, or an Error of kind Protocol
Result<Envelope> decode(const std::string& bytes);

} // namespace tasuki::farm
