// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "agenda.h"
#include "feeding.h"
#include "workergroups.h"

#include "domain/clock.h"
#include "domain/event.h"
#include "domain/task.h"

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace tasuki::farm {

/// How far ahead of their slots worker groups are fed, and how fast a task is tried again.
struct SchedulingPolicy {
    FeedingPolicy feeding{};
    /// First back-off after an exit, signal or timeout; doubles with each retry of that cause.
    std::chrono::milliseconds firstBackoff{100};
    std::chrono::milliseconds longestBackoff{10'000};
};

/// Attempts handed to a worker group, in the order in which they should start.
struct Assignment {
    GroupId group;
    std::vector<AttemptKey> keys;
};

/// Where a task was when it was to be parked.
enum class Parking : std::uint8_t {
    Parked,  ///< it is: it will not be handed out
    Awaited, ///< a worker group holds it unstarted: to be withdrawn from there
    Running, ///< its start was reported
    Ending,  ///< its attempt has ended, and what follows waits for the record
    Done,    ///< it has its final outcome
};

/// How far a task has come, to who starts and ends it together with others.
enum class Advance : std::uint8_t {
    Waits,     ///< for others, for a time, or for an operator
    Ready,     ///< it may start
    Held,      ///< a worker group has it
    Ending,    ///< its attempt has ended, and the record does not say so yet
    Succeeded, ///< for good
    GivenUp,   ///< done without success
};

/// Unstarted attempts that a worker group shall give back.
struct RecallOrder {
    GroupId group;
    std::uint32_t count = 0;
};

/// What the end of an attempt means, or nothing: it does not count.
struct Verdict {
    Disposition disposition = Disposition::Final;
};

/// Decides what runs where and when: knows which worker group has which attempt and how much each can take, and
/// takes the next tasks from its agenda. Pure logic: time comes in as a parameter, decisions come out
/// as values; the state table is in docs/farm.md, "Scheduling". One owner, one thread.
class Scheduler {
public:
    explicit Scheduler(SchedulingPolicy policy = {});

    /// Adds the next task: ids count from 0 without a gap. `after` may name later ids.
    void add(const SchedulableTask& task);
    /// All tasks are known: prerequisites that have already failed take effect.
    void begin();
    /// Adds tasks after begin(). `after` may name ids of the same call.
    void extend(std::span<const SchedulableTask> tasks);

    void groupJoined(GroupId group, std::uint32_t slots);
    /// A worker group has more or fewer slots than before; without any it gets nothing, and recalls() names
    /// what it has not started.
    void setSlots(GroupId group, std::uint32_t slots);
    /// A worker group gets attempts, or none: then recalls() names what it has not started.
    void setOpen(GroupId group, bool open);
    /// A worker group cannot be spoken to, or can again: meanwhile it gets nothing, is asked for nothing,
    /// and keeps what it holds. A recall that was under way will not be answered.
    void setUnreachable(GroupId group, bool unreachable);
    /// The slots of a worker group are for ranks of worlds: it gets no other tasks.
    void setReserved(GroupId group, bool reserved) { m_groups.at(group).reserved = reserved; }
    /// An attempt that a worker group holds.
    struct Held {
        AttemptKey key;
        bool started = false; ///< started, or condemned: its end must be recorded as Lost
        bool condemned = false;
    };
    [[nodiscard]] std::vector<Held> heldBy(GroupId group) const;
    /// Takes a worker group out. Unstarted attempts become ready again at once; for each started one the
    /// caller reports its end with Outcome::Lost through attemptEnded().
    /// @return what it held
    std::vector<Held> groupLost(GroupId group);

    /// A worker group is found to hold an attempt that this scheduler did not hand out.
    /// @return false: the task is done, held by an operator or at another worker group, or it is another
    ///         attempt's turn. Precondition: knows(worker group)
    bool adopt(GroupId group, AttemptKey key, bool started);
    /// A report of the worker group says that an attempt runs.
    /// @return whether it counts
    bool attemptStarted(GroupId group, AttemptKey key);
    /// An attempt has ended. What follows from it waits for endRecorded(): nothing is handed out
    /// that the record does not account for.
    /// @return nothing when the attempt is not (any more) assigned to this worker group
    std::optional<Verdict> attemptEnded(GroupId group, AttemptKey key, Outcome outcome,
                                        std::chrono::microseconds elapsed);
    /// The end of the task's latest attempt, and what it means, is in the record.
    void endRecorded(TaskId id, SteadyTime now);
    /// The worker group's answer to a recall.
    void returned(GroupId group, std::span<const AttemptKey> keys);
    /// What a worker group gives back without being asked.
    /// @return whether any of it was unstarted there
    bool handedBack(GroupId group, std::span<const AttemptKey> keys);

    /// A task shall not start. Awaited: the caller withdraws the attempt from its worker group and calls
    /// withdrawn() with the answer.
    Parking park(TaskId id);
    /// The worker group's answer to a withdrawal. Attempts that it gave back are parked, the others
    /// have started there.
    void withdrawn(GroupId group, std::span<const AttemptKey> asked,
                   std::span<const AttemptKey> given);
    /// A parked task may start again; takes back a withdrawal that is not answered yet.
    void unpark(TaskId id);
    /// Parked tasks are done for, and with them what comes after them.
    /// Precondition: isParked() for each.
    void cancel(std::span<const TaskId> ids) { m_agenda.cancel(ids); }
    /// The attempt that a worker group runs is to be killed: however it ends, the task is not tried
    /// again. Precondition: held(id).
    void condemn(TaskId id);
    /// Tasks that are done are to be done again: ready when what they come after has succeeded.
    /// What comes after them and is not at a worker group waits for them again.
    void reopen(std::span<const TaskId> tasks);
    void setBudget(TaskId id, const RetryBudget& budget) { attempt(id).budget = budget; }
    [[nodiscard]] bool isParked(TaskId id) const { return m_agenda.isParked(id); }
    /// Who holds the task's attempt and which that is; none when nobody does.
    [[nodiscard]] std::optional<std::pair<GroupId, AttemptKey>> held(TaskId id) const;

    /// What to hand out now. Nothing while held.
    /// @param fit  null: everything is in time
    std::vector<Assignment> assignments(SteadyTime now, const FitTest& fit = {});
    [[nodiscard]] Advance advanceOf(TaskId id) const;
    /// Whether a worker group can be given ranks of worlds now.
    [[nodiscard]] bool takesRanks(GroupId group) const
    {
        const auto load = m_groups.find(group);
        return load != m_groups.end() && load->second.takesRanks();
    }
    /// Hands a rank of a world to the worker group of its holder, out of its turn. Precondition: it is Ready.
    AttemptKey handRank(TaskId id, GroupId group);
    /// Nothing is at a worker group, and nothing will be ready before a time but what was too late.
    [[nodiscard]] bool onlyLate(SteadyTime until) const;
    /// What to call back now for idle slots. At most one recall per worker group is under way.
    std::vector<RecallOrder> recalls();
    /// Every unstarted attempt, as recalls: for a run that is to end.
    std::vector<RecallOrder> recallAll();
    /// Tasks that were given up since the last call.
    std::vector<SkippedTask> takeSkipped() { return m_agenda.takeSkipped(); }

    /// While held, nothing is handed out.
    void setHeld(bool held) { m_held = held; }

    /// Every task has its final outcome.
    [[nodiscard]] bool complete() const { return m_agenda.unfinished() == 0; }
    /// Nothing is to be done before somebody releases what is parked, or adds tasks.
    [[nodiscard]] bool exhausted() const { return m_agenda.readyRanks() == 0 && onlyRanksLeft(); }
    /// The same, but for ranks of worlds that may start.
    [[nodiscard]] bool onlyRanksLeft() const
    {
        return m_agenda.ready() == 0 && m_outstanding == 0 && m_unrecordedEnds == 0
            && !m_agenda.nextWake();
    }
    /// Attempts that worker groups hold, running or not.
    [[nodiscard]] std::size_t outstanding() const { return m_outstanding; }
    /// Attempts that have ended, which the record does not say yet.
    [[nodiscard]] std::size_t unrecordedEnds() const { return m_unrecordedEnds; }
    /// Slots are idle for which there may be work once the record has the ends that it lacks.
    [[nodiscard]] bool waitsForRecord() const
    {
        return m_unrecordedEnds != 0 && m_agenda.ready() == 0 && m_outstanding < m_slotCount;
    }
    [[nodiscard]] std::uint32_t outstanding(GroupId group) const;
    [[nodiscard]] bool knows(GroupId group) const { return m_groups.contains(group); }
    [[nodiscard]] std::size_t slotCount() const { return m_slotCount; }

private:
    /// The latest attempt of a task, if somebody has it or it has just ended.
    struct Attempt {
        enum class State : std::uint8_t {
            None,
            Assigned,
            Started,
            Ended ///< and the record does not say so yet
        };
        RetryBudget budget;
        bool goesOn = false; ///< as SchedulableTask has it
        std::array<std::uint16_t, retryCauseCount> retriesUsed{};
        std::uint32_t earlier = 0; ///< number of the latest one that has ended
        GroupId holder{-1};        ///< at first nobody
        State state = State::None;
        bool awaited =
            false; ///< Assigned: the task is to be parked when the worker group gives it back
        bool condemned = false;                       ///< Assigned, Started: not tried again
        bool succeeded = false;                       ///< Ended
        Disposition disposition = Disposition::Final; ///< Ended: what becomes of the task
        RetryCause cause = RetryCause::Exit;          ///< of a retry
    };

    void keep(const SchedulableTask& task);
    [[nodiscard]] Attempt& attempt(TaskId id) { return m_attempts[id.value()]; }
    [[nodiscard]] AttemptKey keyOf(TaskId id) const;
    [[nodiscard]] bool isHeldBy(GroupId group, AttemptKey key) const;
    [[nodiscard]] bool isUnstarted(GroupId group, AttemptKey key) const;
    void giveBack(TaskId id);
    void release(Attempt& attempt);
    [[nodiscard]] std::chrono::milliseconds backoff(const Attempt& attempt) const;
    AttemptKey hand(TaskId id, GroupId group, Load& load);

    SchedulingPolicy m_policy;
    Agenda m_agenda;
    std::vector<Attempt> m_attempts; ///< by task
    std::map<GroupId, Load> m_groups;
    std::size_t m_outstanding = 0;
    std::size_t m_unrecordedEnds = 0;
    std::size_t m_slotCount = 0;
    bool m_begun = false;
    bool m_held = false;
};

} // namespace tasuki::farm
