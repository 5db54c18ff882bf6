// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/scheduler.h"

#include <cstdint>
#include <map>
#include <random>
#include <string>
#include <vector>

namespace tasuki::farm::testing {

/// Drives a Scheduler with random but lawful calls and keeps its own books of what must hold. The
/// first complaint stops it.
class SchedulerModel {
public:
    explicit SchedulerModel(std::uint32_t seed);

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
        std::uint32_t finals = 0;
        bool succeeded = false;
        Rank holder{-1};
    };

    void addTasks();
    void join();
    void lose();
    void handOut();
    void recall();
    void answerRecall();
    void startOne();
    void endOne();
    void sayNonsense();
    void takeEnd(Rank rank, AttemptKey key, Outcome outcome);
    void takeSkipped();
    void checkBooks();
    void checkHandedOut(Rank rank, AttemptKey key);
    void complain(std::string what);
    [[nodiscard]] std::uint32_t below(std::uint32_t limit)
    {
        return static_cast<std::uint32_t>(m_random() % limit);
    }
    [[nodiscard]] Worker* anyWorker(Rank& rank);

    static constexpr std::uint32_t maxPrefetch = 6;

    std::mt19937 m_random;
    Scheduler m_scheduler;
    std::vector<KnownTask> m_tasks;
    std::map<Rank, Worker> m_workers;
    SteadyTime m_now;
    bool m_held = false;
    std::string m_complaint;
};

} // namespace tasuki::farm::testing
