// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"
#include "domain/command.h"
#include "domain/result.h"
#include "domain/task.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <variant>
#include <vector>

/// What master and workers of a farm tell each other. See ARCHITECTURE.md for the conversation.
namespace tasuki::farm {

// ---- worker to master

/// A worker has got a rank and offers its slots. Said again until it is welcomed: the master may not
/// know yet who holds the rank.
struct Hello {
    std::string host; ///< name for people
    std::int64_t pid = 0;
    std::uint32_t slotCount = 0;
    bool operator==(const Hello&) const = default;
};

/// An attempt that was running when the report was made.
struct StartedAttempt {
    AttemptKey key;
    SlotIndex slot;
    WallTime startedAt{};
    bool operator==(const StartedAttempt&) const = default;
};

/// An attempt that has ended.
struct FinishedAttempt {
    AttemptKey key;
    SlotIndex slot;
    AttemptResult result;
    bool operator==(const FinishedAttempt&) const = default;
};

/// What has happened at a worker since its last report.
struct Report {
    std::vector<StartedAttempt> started;
    std::vector<FinishedAttempt> finished;
    bool operator==(const Report&) const = default;
};

/// Answer to each Recall and Halt: unstarted attempts that the worker has given up. May be empty.
struct Returned {
    std::vector<AttemptKey> keys;
    bool operator==(const Returned&) const = default;
};

/// Answer to each Withdraw: those of the named attempts that the worker has given up.
struct Withdrawn {
    std::vector<AttemptKey> keys;
    bool operator==(const Withdrawn&) const = default;
};

/// Answer to a Peek, with its number.
struct Peeked {
    std::uint32_t number = 0;
    OutputAnswer answer;
    bool operator==(const Peeked&) const = default;
};

/// Answer to Goodbye: nothing of any task lives here, the processor leaves.
struct Left {
    bool operator==(const Left&) const = default;
};

/// The worker cannot run tasks any more; it leaves.
struct Broken {
    std::string reason;
    bool operator==(const Broken&) const = default;
};

// ---- master to worker

/// Answer to Hello.
struct Welcome {
    std::string run;       ///< RunId::hex
    std::string directory; ///< working directory of tasks that name none
    bool operator==(const Welcome&) const = default;
};

/// One attempt to run.
struct AssignedTask {
    AttemptKey key;
    std::string command;
    std::shared_ptr<const TaskSettings> settings; ///< never null
};

/// Attempts to run, in the order in which they should start.
struct Assign {
    std::vector<AssignedTask> tasks;
};

/// Give back so many unstarted attempts, the last ones first.
struct Recall {
    std::uint32_t count = 0;
    bool operator==(const Recall&) const = default;
};

/// Give back these unstarted attempts: an operator wants something else with them.
struct Withdraw {
    std::vector<AttemptKey> keys;
    bool operator==(const Withdraw&) const = default;
};

/// Kill these running attempts; their end is Outcome::Cancelled.
struct Stop {
    std::vector<AttemptKey> keys;
    bool operator==(const Stop&) const = default;
};

/// What has a running attempt written?
struct Peek {
    std::uint32_t number = 0;
    OutputQuery query;
    bool operator==(const Peek&) const = default;
};

/// Give back what is unstarted and kill what runs; its end is Outcome::Interrupted.
struct Halt {
    bool operator==(const Halt&) const = default;
};

/// The run is over: kill what tasks have left behind, answer Left, leave. To every processor, whether
/// it holds a rank or not.
struct Goodbye {
    bool losses = false; ///< a processor was lost: leaving must not wait for it
    bool operator==(const Goodbye&) const = default;
};

/// The worker's kinds stand first, then the master's.
using FarmMessage = std::variant<Hello, Report, Returned, Withdrawn, Peeked, Left, Broken, Welcome,
                                 Assign, Recall, Withdraw, Stop, Peek, Halt, Goodbye>;

/// @return whether a worker sends it to its master; else a master sends it to a worker
bool isForMaster(const FarmMessage& message);

/// A rank, as somebody holds it.
struct HeldRank {
    Rank rank{-1};           ///< -1: none
    Incarnation incarnation; ///< of the holding
    auto operator<=>(const HeldRank&) const = default;
};

/// A message and the life that it belongs to. A receiver drops what is not of its own; Left and
/// Goodbye are about processors, whatever they hold.
struct Envelope {
    Epoch epoch;
    HeldRank held; ///< by the worker, whichever side sends
    FarmMessage message;
};

/// @return the message as bytes; captured output and commands are moved out of it
std::string encode(Envelope&& envelope);
/// @return the message, or an Error of kind Protocol
Result<Envelope> decode(const std::string& bytes);

} // namespace tasuki::farm
