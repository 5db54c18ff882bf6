// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "readyqueue.h"

#include "domain/clock.h"
#include "domain/event.h"
#include "domain/runstate.h"
#include "domain/task.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <queue>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

namespace tasuki::farm {

/// How far ahead of their slots workers are fed, and how fast a task is tried again.
struct SchedulingPolicy {
    /// Work that a worker should hold beyond its slots, as run time.
    std::chrono::microseconds horizon{50'000};
    /// Unstarted attempts that a worker holds at most.
    std::uint32_t maxPrefetch = 4'096;
    /// First back-off after an exit, signal or timeout; doubles with each retry of that cause.
    std::chrono::milliseconds firstBackoff{100};
    std::chrono::milliseconds longestBackoff{10'000};
};

/// What the scheduler must know of a task.
struct SchedulableTask {
    std::uint32_t stage = 0;
    std::uint32_t position = 0;
    RetryBudget budget{};
    std::array<std::uint16_t, retryCauseCount> retriesUsed{};
    std::uint32_t attempts = 0;          ///< attempts that the record knows of
    std::span<const TaskId> after{};     ///< looked at during add() only
    TaskState state = TaskState::Queued; ///< a final state: nothing is to be done
};

/// Attempts handed to a worker, in the order in which they should start.
struct Assignment {
    Rank rank;
    std::vector<AttemptKey> keys;
};

/// Where a task was when it was to be parked.
enum class Parking : std::uint8_t {
    Parked,  ///< it is: it will not be handed out
    Awaited, ///< a worker holds it unstarted: to be withdrawn from there
    Running, ///< its start was reported
    Done,    ///< it has its final outcome
};

/// Unstarted attempts that a worker shall give back.
struct RecallOrder {
    Rank rank;
    std::uint32_t count = 0;
};

/// What the end of an attempt means, or nothing: it does not count.
struct Verdict {
    Disposition disposition = Disposition::Final;
};

/// A task that cannot run any more.
struct SkippedTask {
    TaskId id;
    TaskId because;
};

/// Decides what runs where and when, scheduler.cpp, and takes what operators change meanwhile,
/// scheduleredits.cpp. Pure logic: time comes in as a parameter, decisions come out
/// as values; the state table is in ARCHITECTURE.md. One owner, one thread.
class Scheduler {
public:
    explicit Scheduler(SchedulingPolicy policy = {});

    /// Adds the next task: ids count from 0 without a gap. `after` may name later ids.
    void add(const SchedulableTask& task);
    /// All tasks are known: prerequisites that have already failed take effect.
    void begin();
    /// Adds tasks after begin(). `after` may name ids of the same call.
    void extend(std::span<const SchedulableTask> tasks);

    void workerJoined(Rank rank, std::uint32_t slots);
    /// A worker gets attempts, or none: then recalls() names what it has not started.
    void setOpen(Rank rank, bool open);
    /// What a lost worker held.
    struct Held {
        AttemptKey key;
        bool started = false; ///< started, or condemned: its end must be recorded as Lost
    };
    /// Takes a worker out. Unstarted attempts become ready again at once; for each started one the
    /// caller reports its end with Outcome::Lost through attemptFinished().
    std::vector<Held> workerLost(Rank rank);

    /// The worker's report says that an attempt runs.
    /// @return whether it counts
    bool attemptStarted(Rank rank, AttemptKey key);
    /// An attempt has ended.
    /// @return nothing when the attempt is not (any more) assigned to this worker
    std::optional<Verdict> attemptFinished(Rank rank, AttemptKey key, Outcome outcome,
                                           std::chrono::microseconds elapsed, SteadyTime now);
    /// The worker's answer to a recall.
    void returned(Rank rank, std::span<const AttemptKey> keys);

    /// A task shall not start. Awaited: the caller withdraws the attempt from its holder and calls
    /// withdrawn() with the answer.
    Parking park(TaskId id);
    /// The worker's answer to a withdrawal. What it gave back is parked, what it did not has
    /// started there.
    void withdrawn(Rank rank, std::span<const AttemptKey> asked, std::span<const AttemptKey> given);
    /// A parked task may start again; takes back a withdrawal that is not answered yet.
    void unpark(TaskId id);
    /// Parked tasks are done for, and with them what comes after them.
    /// Precondition: isParked() for each.
    void cancel(std::span<const TaskId> ids);
    /// The attempt that a worker runs is to be killed: however it ends, the task is not tried
    /// again. Precondition: held(id).
    void condemn(TaskId id);
    /// Tasks that are done are to be done again: ready when what they come after has succeeded.
    /// What comes after them and is not at a worker waits for them again.
    /// @param tasks  each with its prerequisites
    struct Reopening {
        TaskId id;
        std::span<const TaskId> after;
    };
    void reopen(std::span<const Reopening> tasks);
    void setBudget(TaskId id, const RetryBudget& budget) { entry(id).budget = budget; }
    [[nodiscard]] bool isParked(TaskId id) const
    {
        return m_entries[id.value()].state == State::Parked;
    }
    /// Who holds the task's attempt and which that is; none when nobody does.
    [[nodiscard]] std::optional<std::pair<Rank, AttemptKey>> held(TaskId id) const;

    /// What to hand out now. Nothing while held.
    std::vector<Assignment> assignments(SteadyTime now);
    /// What to call back now for idle slots. At most one recall per worker is under way.
    std::vector<RecallOrder> recalls();
    /// Every unstarted attempt, as recalls: for a run that is to end.
    std::vector<RecallOrder> recallAll();
    /// Tasks that were given up since the last call.
    std::vector<SkippedTask> takeSkipped();

    /// While held, nothing is handed out.
    void setHeld(bool held) { m_held = held; }

    /// Every task has its final outcome.
    [[nodiscard]] bool complete() const { return m_unfinished == 0; }
    /// Attempts that workers hold, running or not.
    [[nodiscard]] std::size_t outstanding() const { return m_outstanding; }
    /// When the next back-off ends; none when nothing waits.
    [[nodiscard]] std::optional<SteadyTime> nextReady() const;
    [[nodiscard]] std::size_t slotCount() const { return m_slotCount; }

private:
    enum class State : std::uint8_t { Blocked, Ready, Assigned, Started, Waiting, Parked, Done };

    struct Entry {
        RetryBudget budget;
        std::array<std::uint16_t, retryCauseCount> retriesUsed{};
        std::uint32_t stage = 0;
        std::uint32_t position = 0;
        std::uint32_t attempts = 0;          ///< number of the latest recorded or assigned attempt
        std::uint32_t openPrerequisites = 0; ///< that are not done; kept while not Done itself
        Rank holder{-1};
        State state = State::Blocked;
        bool failed = false;    ///< done, but not succeeded
        bool awaited = false;   ///< Assigned: to be parked when the worker gives it back
        bool condemned = false; ///< Assigned, Started: not tried again
    };

    struct Worker {
        std::uint32_t slots = 0;
        std::uint32_t outstanding = 0;
        bool open = true;
        bool recallUnderWay = false;
        bool recallInVain = false; ///< the last one brought nothing; wait for a report
        double meanElapsedUs = -1; ///< running mean, negative: unknown

        [[nodiscard]] std::uint32_t unstarted() const
        {
            return outstanding > slots ? outstanding - slots : 0;
        }
        [[nodiscard]] std::uint32_t idleSlots() const
        {
            return slots > outstanding ? slots - outstanding : 0;
        }
    };

    struct WaitingTask {
        SteadyTime until;
        TaskId id;
        std::uint32_t attempts; ///< of the task then: it may have left and be waiting anew
        bool operator>(const WaitingTask& other) const { return until > other.until; }
    };

    [[nodiscard]] Entry& entry(TaskId id) { return m_entries[id.value()]; }
    [[nodiscard]] AttemptKey keyOf(TaskId id) const;
    [[nodiscard]] bool isHeldBy(Rank rank, AttemptKey key) const;
    void makeReady(TaskId id);
    void makeReadyIfUnblocked(TaskId id);
    void giveBack(TaskId id);
    void queueAgain(TaskId id);
    void settle(TaskId dependent);
    void waitAgainFor(TaskId reopened);
    void lookAtPrerequisites(TaskId id, std::span<const TaskId> after);
    void open(Entry& task);
    [[nodiscard]] bool startsNow(const Entry& task) const { return task.stage <= m_stage; }
    TaskId takeReady();
    void release(Entry& task);
    void finish(TaskId id, bool succeeded);
    void skipDependents(TaskId failed);
    void retire(TaskId id);
    void advanceStage();
    void recallFromClosed(std::vector<RecallOrder>& orders);
    void wakeWaiting(SteadyTime now);
    [[nodiscard]] std::chrono::milliseconds backoff(RetryCause cause, std::uint16_t used) const;
    [[nodiscard]] std::uint32_t prefetchOf(const Worker& worker) const;
    void hand(TaskId id, Rank rank, Worker& worker, std::vector<AttemptKey>& keys);

    SchedulingPolicy m_policy;
    std::vector<Entry> m_entries;
    std::unordered_map<std::uint32_t, std::vector<TaskId>> m_dependents;
    std::vector<std::size_t> m_openByStage;
    std::vector<std::vector<TaskId>> m_unblockedByStage; ///< of stages that have not begun
    std::size_t m_openInBegunStages = 0;
    std::uint32_t m_stage = 0;
    ReadyQueue m_ready; ///< every task that is Ready, and some that were
    std::size_t m_readyCount = 0;
    std::priority_queue<WaitingTask, std::vector<WaitingTask>, std::greater<>> m_waiting;
    std::map<Rank, Worker> m_workers;
    std::vector<SkippedTask> m_skipped;
    std::size_t m_unfinished = 0;
    std::size_t m_outstanding = 0;
    std::size_t m_slotCount = 0;
    bool m_begun = false;
    bool m_held = false;
};

} // namespace tasuki::farm
