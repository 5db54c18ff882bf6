// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "messages.h"
#include "scheduler.h"
#include "systemorders.h"

#include "domain/command.h"
#include "domain/runstate.h"
#include "recorder/journal.h"
#include "tasklist/tasklistdefaults.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace tasuki::farm {

/// Carries out what operators want, one command after the other; the tables are in docs/farm.md.
/// Pure logic on the reactor's thread.
class Operations {
public:
    using Reply = std::function<void(CommandAnswer)>;
    struct Hooks {
        std::function<void(GroupId, FarmMessage)> send;
        /// The run ends, as interrupted once or (kill) twice.
        std::function<void(bool kill)> stopRun;
        /// Why a command cannot be taken now; empty: it can.
        std::function<Phrase(const OperatorCommand&)> refusal;
        /// Tasks may have been given up: their events are due.
        std::function<void()> recordSkipped;
        /// Null: the run has no hierarchy.
        SystemOrder order = {};
    };

    /// @param state, scheduler, journal  outlive this object
    /// @param defaults  of tasks that are added
    Operations(const RunState& state, Scheduler& scheduler, Journal& journal,
               TaskListDefaults defaults, Hooks hooks);

    /// @param who    as the record shall name the operator
    /// @param reply  called once, never from inside this call
    void request(std::string who, OperatorCommand command, Reply reply);
    /// Goes on with what the last master had promised: tasks that were being cancelled are.
    /// @param who  as the record shall name this processor
    void goOnCancelling(std::string who);
    /// Begins the next command when none is under way.
    void poll();
    void withdrawn(GroupId group, const Withdrawn& message);
    /// To be called after Scheduler::groupLost().
    void groupLost(GroupId group);
    /// Somebody else answers for a worker group: what was asked before will have no answer.
    void groupResynced(GroupId group);
    /// An event has been applied to the state.
    void committed(EventId id);
    /// The record holds all that was to be committed at once.
    void recorded();
    /// Refuses what is under way, for its events will not be waited for.
    void abandon(const Phrase& reason);
    /// Refuses all that has not begun.
    void refuseAll(const Phrase& reason);

    /// No command is under way or waits.
    [[nodiscard]] bool idle() const { return m_step == Step::Idle && m_waiting.empty(); }

private:
    enum class Step : std::uint8_t { Idle, Withdrawing, Ordering, Committing };
    struct Request {
        std::string who;
        OperatorCommand command;
        Reply reply;
        bool promised = false; ///< accepted by an earlier master: not refused any more
    };
    /// What one command has come to so far.
    struct Work {
        Request request;
        std::vector<TaskId> tasks;                        ///< that it is about, without conflicts
        std::map<GroupId, std::vector<AttemptKey>> asked; ///< withdrawals without an answer
        std::map<GroupId, std::set<AttemptKey>> kept;     ///< not given back: they run there
        std::map<GroupId, std::vector<AttemptKey>> stops; ///< attempts to be killed
        std::set<TaskId> held;                            ///< of the tasks: were held before
        std::vector<SchedulableTask> added;
        std::vector<TaskConflict> conflicts;
        std::vector<EventId> alarms; ///< that somebody else has acknowledged meanwhile
        EventId last;                ///< when it is committed, the command is done
        bool ending = false;         ///< a task's attempt has ended, and the record does not say so
    };

    void begin(Request request);
    void begin(const AddTasks& command);
    void begin(const EditTasks& command);
    void begin(const CancelTasks& command);
    void begin(const HoldTasks& command);
    void begin(const ReleaseTasks& command);
    void begin(const RepeatTasks& command);
    void begin(const StopRun& command);
    void begin(const AcknowledgeAlarms& command);
    void begin(const DrainProcessor& command);
    void begin(const StopProcessor& command);
    void begin(const PromoteProcessor& command);
    void begin(const ChangeTopology& command);
    void begin(const ChangeRole& command);
    void giveOrder();
    using Fit = std::function<std::optional<ConflictCause>(TaskState)>;
    void take(const std::vector<TaskTarget>& targets, const Fit& fit);
    bool nothingLeft();
    void withdraw();
    void recordWithdrawn();
    [[nodiscard]] bool isKept(GroupId group, AttemptKey key) const;
    void recordEdits(const EditTasks& command);
    void recordCancels();
    void recordHolds();
    /// Names conflicts for what is not parked.
    void keepParked();
    void record(EventPayload payload);
    void closeRecord(const Phrase& what);
    void finish();
    void refuse(Phrase reason, std::vector<std::string> details = {});
    void answer(CommandAnswer answer);
    [[nodiscard]] std::vector<TaskId> withEndedRanks(std::vector<TaskId> tasks) const;
    [[nodiscard]] std::vector<TaskId> withSkippedDependents(std::vector<TaskId> tasks) const;

    const RunState& m_state;
    Scheduler& m_scheduler;
    Journal& m_journal;
    TaskListDefaults m_defaults;
    Hooks m_hooks;
    std::deque<Request> m_waiting;
    Step m_step = Step::Idle;
    std::uint64_t m_orders = 0; ///< so many were given
    Work m_work;
};

} // namespace tasuki::farm
