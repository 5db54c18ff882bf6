// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/scheduler.h"

#include <cstdint>
#include <map>
#include <random>
#include <set>
#include <string>
#include <vector>

namespace tasuki::farm::testing {

/// Drives a Scheduler with random but lawful calls and keeps its own books of what must hold. The
/// first complaint stops it.
class SchedulerModel {
public:
    /// @param operators  whether tasks are parked, cancelled, reopened and added meanwhile
    SchedulerModel(std::uint32_t seed, bool operators);

    /// Does one random thing and checks what must hold after it.
    void step();
    /// Lets the run come to its end: workers are there, every attempt ends.
    void finish();

    /// What was wrong; empty: nothing.
    [[nodiscard]] const std::string& complaint() const { return m_complaint; }

private:
    struct HeldAttempt {
        AttemptKey key;
        bool started = false;
    };
    struct Worker {
        std::uint32_t slots = 0;
        std::vector<HeldAttempt> held;
        std::uint32_t recalled = 0; ///< asked for and not answered
        bool recallUnderWay = false;
    };
    struct KnownTask {
        std::uint32_t stage = 0;
        std::vector<TaskId> after{};
        RetryBudget budget{};
        std::array<std::uint32_t, retryCauseCount> retries{};
        std::uint32_t attempts = 0;
        std::uint32_t finals = 0; ///< ends since it was opened or reopened
        bool succeeded = false;
        GroupId holder{-1};
        std::set<TaskId> waitsFor{}; ///< while it has no end
        bool parked = false;
        bool awaited = false;   ///< to be parked when its worker gives it back
        bool condemned = false; ///< its worker shall kill it
        bool backsOff = false;  ///< perhaps
    };

    void addTasks();
    KnownTask randomTask(std::uint32_t id, std::uint32_t stage, std::uint32_t earlier);
    std::vector<SharedGroup> groupsOf(const std::vector<TaskId>& after);
    void join();
    void lose();
    void handOut();
    void recall();
    void answerRecall();
    void startOne();
    void endOne();
    void sayNonsense();
    void takeEnd(GroupId rank, AttemptKey key, Outcome outcome);
    void takeSkipped();
    /// A worker does not hold the task's attempt any more, which did not start.
    void takeBack(AttemptKey key);
    void takeFinal(TaskId id, bool succeeded);
    void operate();
    void parkOne();
    void unparkOne();
    void answerWithdrawal();
    void cancelSome();
    void condemnOne();
    void reopenSome();
    void extend();
    [[nodiscard]] bool isStarted(TaskId id) const;
    void checkBooks();
    void checkNobodyIdles();
    void advanceStage();
    void checkHandedOut(GroupId rank, AttemptKey key);
    void complain(std::string what);
    [[nodiscard]] std::uint32_t below(std::uint32_t limit)
    {
        return static_cast<std::uint32_t>(m_random() % limit);
    }
    [[nodiscard]] Worker* anyWorker(GroupId& rank);
    [[nodiscard]] TaskId anyTask()
    {
        return TaskId(below(static_cast<std::uint32_t>(m_tasks.size())));
    }
    [[nodiscard]] KnownTask& known(TaskId id) { return m_tasks[id.value()]; }

    static constexpr std::uint32_t maxPrefetch = 6;

    std::mt19937 m_random;
    bool m_operators;
    Scheduler m_scheduler;
    std::vector<KnownTask> m_tasks;
    std::map<TaskGroup, SharedGroup> m_groups;
    std::map<GroupId, Worker> m_workers;
    std::uint32_t m_stage = 0; ///< the latest that has begun
    SteadyTime m_now;
    bool m_held = false;
    std::string m_complaint;
};

} // namespace tasuki::farm::testing
