// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "groupmessages.h"
#include "outputmessages.h"
#include "rankmessages.h"

#include "domain/result.h"

#include <cstdint>
#include <optional>
#include <string>
#include <variant>

/// What master, group schedulers and workers of a farm tell each other. See docs/farm.md for the
/// conversations.
namespace tasuki::farm {

/// Those that go up the tree stand first.
using FarmMessage =
    std::variant<Hello, Report, Returned, Withdrawn, Peeked, Left, Broken, GroupHello, Resynced,
                 GroupReport, OutputFetched, ResyncCall, Welcome, Assign, Recall, Withdraw, Stop,
                 Peek, Halt, Warn, Noted, GroupResyncCall, Resync, GroupNoted, Goodbye, RecordWord,
                 FetchOutput, ReleaseOutput, WorldMail, OutputPrinted>;

/// @return whether it is for a chief or the master; else it is for those whom they lead
bool goesUp(const FarmMessage& message);

/// A message and the life that it belongs to. A receiver drops messages of another life than its
/// own; Left and Goodbye are about processors, whatever they hold.
///
/// The processor of a group scheduler counts its leaderships: a new one begins when it begins to lead, and with each
/// resynchronisation call of a rank. Ranks and the master repeat the number in their answers.
struct Envelope {
    Epoch epoch;
    HeldRank held; ///< by the worker, whichever side sends; none: it is not about a rank
    FarmMessage message;
    std::optional<GroupId> group =
        {}; ///< between a group scheduler and the master: about a worker group
    LeadershipNumber leadership{}; ///< 0: of no group scheduler
};

/// @return the message as bytes; captured output and commands are moved out of it
std::string encode(const Envelope& envelope);
/// @return the message, or an Error of kind Protocol
Result<Envelope> decode(const std::string& bytes);

} // namespace tasuki::farm
