// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"
#include "process/childkind.h"

#include "domain/attempt.h"
#include "domain/command.h"
#include "domain/outputfetch.h"
#include "domain/task.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tasuki {

/// A world begins, once or again: who holds its ranks. What is said about another start does not count.
struct WorldStart {
    std::uint32_t world = 0;
    std::uint32_t generation = 0;      ///< grows with each start
    Rank first;                        ///< has rank 0 in the world
    std::vector<ProcessorId> holders;  ///< of its ranks, in their order
    std::vector<ProcessorId> standbys; ///< who would take over, in order
    std::uint32_t logMb = 0;           ///< as WorldSeat::logMb
    std::string name;                  ///< of its subcluster
    bool goesOn = false; ///< one rank alone begins another life, in the same generation
    bool operator==(const WorldStart&) const = default;
};

/// What is needed to run one attempt.
struct Launch {
    AttemptKey key;
    SlotIndex slot;
    std::string command;
    std::shared_ptr<const TaskSettings> settings; ///< never null
    std::shared_ptr<const WorldStart> world = {}; ///< null: it is no rank of a world
    std::vector<std::uint32_t> cores = {};        ///< that it may use; empty: all
    ChildKind kind = ChildKind::Task;
};

/// Why an attempt is to be ended from outside. Decides the outcome that is reported.
enum class StopReason : std::uint8_t { Cancelled, Interrupted };

/// Runs attempts on this host. One thread: calls and callbacks happen on the reactor's.
class Executor {
public:
    struct Callbacks {
        /// An attempt's first process exists.
        std::function<void(AttemptKey, WallTime startedAt)> started;
        /// An attempt has ended, exactly once for every start(), also when it never started.
        std::function<void(AttemptKey, AttemptResult)> finished;
        /// The executor itself failed for good: nothing more will be started.
        std::function<void(std::string reason)> failed;
        /// The agent's ends of the streams of an attempt whose kind has such, in the order of the child's
        /// descriptors. Comes just before `started`, unless this process has no room for them: then the
        /// attempt is ended as interrupted. They do not block, and are closed on exec; what is
        /// written to one that nobody reads raises SIGPIPE, which the process must ignore.
        std::function<void(AttemptKey, std::vector<UniqueFd>)> connected = {};
    };

    Executor() = default;
    Executor(const Executor&) = delete;
    Executor& operator=(const Executor&) = delete;
    virtual ~Executor() = default;

    /// Must be called before the first start().
    virtual void setCallbacks(Callbacks callbacks) = 0;
    /// Starts an attempt. Never blocks; the end is told by `finished`, never from inside this call.
    virtual void start(Launch launch) = 0;
    /// Kills an attempt and every process that came from it, detached ones included. Its end is
    /// told by `finished` once nothing of it lives. Unknown keys are ignored: it may have ended.
    virtual void stop(AttemptKey key, StopReason reason) = 0;
    /// Sends a signal to an attempt's own processes, and does no more. Unknown keys are ignored.
    virtual void signal(AttemptKey key, int number)
    {
        static_cast<void>(key);
        static_cast<void>(number);
    }
    /// stop() for all, and kills what earlier attempts left behind; `done` is called when no
    /// process below the executor lives.
    virtual void stopAll(StopReason reason, std::function<void()> done) = 0;
    /// What a running attempt has written so far. `answer` is called once, never from inside this
    /// call; it says "not known" when the attempt does not run here.
    virtual void peek(const OutputQuery& query, std::function<void(OutputAnswer)> answer) = 0;
    /// The next stretch of all that an attempt has written; what stands before the places asked for
    /// is not needed any more. Of attempts that have ended, only what the record has no room for is
    /// there, until it is released. `answer` is called once, never from inside this call.
    /// @param wait  until something is there, or the attempt has ended
    virtual void fetch(const OutputQuery& query, bool wait,
                       std::function<void(FetchedOutput)> answer) = 0;
    /// Nothing of the output of an attempt that has ended is needed any more. Unknown keys are
    /// ignored.
    virtual void release(AttemptKey key) = 0;
};

} // namespace tasuki
