// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "randomsystem.h"

#include "domain/runstate.h"

#include <cstdint>
#include <random>
#include <string>
#include <vector>

namespace tasuki {

/// Makes valid histories of runs, and says what must come of them by a model of its own.
class RandomHistory {
public:
    /// What must be known of a task.
    struct Expected {
        Task task;
        TaskState state = TaskState::Queued;
        TaskState hidden = TaskState::Queued; ///< while Removed: what it was before
        std::uint32_t attempts = 0;
        std::uint32_t runningEpoch = 0;
        bool everEnded = false;
        Outcome outcome = Outcome::Lost;
        std::int32_t code = 0;
        std::int64_t elapsedUs = 0;
        std::array<std::uint16_t, retryCauseCount> retries{};
    };

    explicit RandomHistory(std::uint32_t seed) : m_random(seed) {}

    /// @return the next events; the first call begins with RunOpened
    std::vector<Event> more(std::size_t count);

    [[nodiscard]] const std::vector<Expected>& tasks() const { return m_tasks; }
    [[nodiscard]] const RandomSystem& system() const { return m_system; }

private:
    std::uint32_t below(std::uint32_t limit);
    std::string bytes(std::uint32_t maximum);
    SharedGroup commonGroup();
    Task task(std::string command);
    AttemptResult result();
    EventPayload next();
    EventPayload open();
    EventPayload close();
    EventPayload add();
    EventPayload change(std::uint32_t id);
    EventPayload finish(std::uint32_t id);
    EventPayload ofProcessor();
    EventPayload ofTask(std::uint32_t id);

    struct Holder {
        std::uint32_t incarnation = 0;
        bool present = false;
    };

    std::mt19937 m_random;
    RandomSystem m_system;
    std::vector<Expected> m_tasks;
    std::vector<Holder> m_holders = std::vector<Holder>(4);
    std::vector<std::shared_ptr<const TaskSettings>> m_settings;
    SharedGroup m_commonGroup;
    std::uint32_t m_epoch = 0;
    std::uint64_t m_sequence = 0;
    std::int64_t m_now = 1'700'000'000'000'000;
    bool m_open = false;
};

} // namespace tasuki
