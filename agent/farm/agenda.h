// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gates.h"
#include "readyqueue.h"
#include "stages.h"

#include "domain/clock.h"
#include "domain/runstate.h"
#include "domain/task.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

namespace tasuki::farm {

/// What the scheduler must know of a task.
struct SchedulableTask {
    std::uint32_t stage = 0;
    std::uint32_t position = 0;
    RetryBudget budget{};
    std::array<std::uint16_t, retryCauseCount> retriesUsed{};
    std::uint32_t attempts = 0;           ///< attempts that the record knows of
    std::span<const SharedGroup> after{}; ///< looked at during add() only
    /// A final state: nothing is to be done. Running: who has it adopts it before anything is handed out.
    /// Held: parked.
    TaskState state = TaskState::Queued;
    bool seated = false; ///< it is not handed out in its turn: who starts its world takes it
    bool goesOn = false; ///< a loss costs it nothing: another processor takes its place
};

/// Whether a task may be handed out although an end is near.
enum class Fit : std::uint8_t {
    Late,     ///< it would not end in time: not in this life of the run
    SlotOnly, ///< only to a slot that is idle
    Ahead,    ///< also where it has to wait
};
using FitTest = std::function<Fit(TaskId)>;

/// A task that cannot run any more.
struct SkippedTask {
    TaskId id;
    TaskId because;
};

/// What is to be done, and when: which tasks wait for others, for their stage, for a back-off or for an
/// operator, which may start now, and which are done. A task that somebody has taken is his affair until it is
/// given back, tried again or finished. The states are those of docs/farm.md, "Scheduling", where Assigned
/// and Ended are one: Taken.
class Agenda {
public:
    /// Adds the next task: ids count from 0 without a gap. `after` may name later ids.
    void add(const SchedulableTask& task);
    /// All tasks are known: prerequisites that have already failed take effect.
    void begin();
    /// Adds tasks after begin(). `after` may name ids of the same call.
    void extend(std::span<const SchedulableTask> tasks);

    /// Takes the next task that may start now.
    /// @param least  it stays where it is unless it fits like this
    /// @return none: nothing that is ready may be handed out
    std::optional<TaskId> takeReady(const FitTest& fit, Fit least);
    /// Takes a task out of its turn. @return false: somebody has it, it is parked or done
    bool take(TaskId id);
    /// For these, somebody has taken the task.
    void giveBack(TaskId id);
    void giveBackParked(TaskId id) { item(id).state = State::Parked; }
    /// Tried again when that time has come, or what it comes after is done once more.
    void retryAt(SteadyTime until, TaskId id);
    void finish(TaskId id, bool succeeded);

    /// A task that nobody has taken shall not start. @return false: it is done
    bool park(TaskId id);
    /// It may start again, if it is parked.
    void unpark(TaskId id);
    /// Parked tasks are done for, and with them what comes after them.
    void cancel(std::span<const TaskId> ids);
    /// Tasks that are done are to be done again: ready when what they come after has succeeded.
    /// What comes after them and nobody has taken waits for them again.
    void reopen(std::span<const TaskId> tasks);
    /// Back-offs that are over have ended.
    void wakeWaiting(SteadyTime now);
    /// Tasks that were given up since the last call.
    std::vector<SkippedTask> takeSkipped() { return std::exchange(m_skipped, {}); }

    [[nodiscard]] bool isParked(TaskId id) const { return state(id) == State::Parked; }
    [[nodiscard]] bool isReady(TaskId id) const { return state(id) == State::Ready; }
    [[nodiscard]] bool isDone(TaskId id) const { return state(id) == State::Done; }
    /// Precondition: isDone().
    [[nodiscard]] bool hasSucceeded(TaskId id) const { return !m_items[id.value()].failed; }
    [[nodiscard]] std::size_t ready() const
    {
        return m_ready;
    } ///< so many may start now in their turn
    [[nodiscard]] std::size_t readyRanks() const
    {
        return m_readyRanks;
    }                                                         ///< the same of those with seats
    [[nodiscard]] std::size_t late() const { return m_late; } ///< so many would not end in time
    [[nodiscard]] std::size_t unfinished() const { return m_unfinished; }
    /// When the next back-off ends; none when nothing waits.
    [[nodiscard]] std::optional<SteadyTime> nextWake() const
    {
        return m_waiting.empty() ? std::nullopt : std::optional(m_waiting.top().until);
    }

private:
    enum class State : std::uint8_t { Blocked, Ready, Late, Taken, Waiting, Parked, Done };
    struct Item {
        std::uint32_t stage = 0;
        std::uint32_t position = 0;
        std::uint32_t shutGates = 0; ///< of what it comes after
        std::uint32_t waits = 0;     ///< so often it has had to wait for a back-off
        State state = State::Blocked;
        bool failed = false; ///< done, but not succeeded
        bool seated = false;
    };
    struct Wait {
        SteadyTime until;
        TaskId id;
        std::uint32_t number; ///< of the task's: it may have left and be waiting anew
        bool operator>(const Wait& other) const { return until > other.until; }
    };

    [[nodiscard]] Item& item(TaskId id) { return m_items[id.value()]; }
    [[nodiscard]] State state(TaskId id) const { return m_items[id.value()].state; }
    void open(Item& task);
    void makeReady(TaskId id);
    void makeReadyIfUnblocked(TaskId id);
    void unqueue(Item& task);
    void retire(TaskId id);
    void skip(TaskId id, TaskId because);
    void skipDependents(TaskId failed);
    void advanceStage();
    void countGates();
    void waitAgainFor(TaskId reopened, bool failed);
    void lookAtPrerequisites(TaskId id);
    [[nodiscard]] TaskId blameOf(Gate& gate) const;

    std::vector<Item> m_items;
    Gates m_gates;
    Stages m_stages;
    ReadyQueue m_queue; ///< every task that is Ready, and some that were
    std::priority_queue<Wait, std::vector<Wait>, std::greater<>> m_waiting;
    std::vector<SkippedTask> m_skipped;
    std::size_t m_ready = 0;
    std::size_t m_readyRanks = 0;
    std::size_t m_late = 0;
    std::size_t m_unfinished = 0;
};

} // namespace tasuki::farm
