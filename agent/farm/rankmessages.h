// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/attempt.h"
#include "domain/command.h"
#include "domain/task.h"
#include "process/executor.h"
#include "workergroups.h"

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

/// What workers and their chiefs tell each other. A worker's *chief* is who leads it: the master, or
/// the group scheduler of its subcluster.
namespace tasuki::farm {

// ---- worker to its chief

/// What a worker holds that was led by somebody else until now.
struct Standing {
    std::vector<AttemptKey> running;
    std::vector<AttemptKey> queued;
    std::vector<AttemptKey> ended; ///< in reports that will be told again
    bool operator==(const Standing&) const = default;
};

/// A worker has got a rank, or another chief, and offers its slots. Said again until it is welcomed:
/// the chief may not know yet who holds the rank.
struct Hello {
    std::string host; ///< name for people
    std::int64_t pid = 0;
    std::uint32_t slotCount = 0;
    Standing standing = {}; ///< of an answer to a ResyncCall
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
    std::uint64_t number = 0; ///< from 1, one more with each
    bool operator==(const Report&) const = default;
};

/// Answer to each Recall and Halt, also a group scheduler's: unstarted attempts that were given up. May be
/// empty.
struct Returned {
    std::vector<AttemptKey> keys;
    bool operator==(const Returned&) const = default;
};

/// Answer to each Withdraw, also a group scheduler's: those of the named attempts that were given up.
struct Withdrawn {
    std::vector<AttemptKey> keys;
    bool operator==(const Withdrawn&) const = default;
};

/// Answer to a Peek, with its number; also a group scheduler's.
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

// ---- chief to worker

/// A group scheduler: say Hello in this leadership, with your standing. Once answered, what group schedulers of earlier
/// eras say does not count any more.
struct ResyncCall {
    Era era; ///< as Resync says
    bool operator==(const ResyncCall&) const = default;
};

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
    std::shared_ptr<const WorldStart> world = {}; ///< null: it is no rank of a world
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

/// Kill these running attempts; their end is Outcome::Cancelled. Ranks of a world that goes back to its start are
/// Interrupted, also where they have not started.
struct Stop {
    std::vector<AttemptKey> keys;
    StopReason reason = StopReason::Cancelled;
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

/// Signal these running attempts: the allocation ends before they do.
struct Warn {
    std::vector<AttemptKey> keys;
    std::int32_t signalNumber = 0;
    bool operator==(const Warn&) const = default;
};

/// Reports up to this number are in the record and will not be asked for again.
struct Noted {
    std::uint64_t upTo = 0;
    bool operator==(const Noted&) const = default;
};

/// About copies of the record, in either direction: see replica/copywords.h. No master, group scheduler or
/// worker of a farm takes it.
struct RecordWord {
    std::string bytes;
    bool operator==(const RecordWord&) const = default;
};

/// Between processors that hold ranks of a world: see worldhost/worldwords.h. No master, group scheduler or worker takes it.
struct WorldMail {
    std::string bytes;
    bool operator==(const WorldMail&) const = default;
};

/// The run is over: kill what tasks have left behind, answer Left, leave. The master to every
/// processor, whether it holds a rank or not; so is the answer.
struct Goodbye {
    bool losses = false; ///< a processor was lost: leaving must not wait for it
    bool operator==(const Goodbye&) const = default;
};

} // namespace tasuki::farm
