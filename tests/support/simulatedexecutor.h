// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "process/executor.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// Runs attempts in the time of a manual clock: each lives for as long as its plan says, nothing
/// happens between calls of poll().
class SimulatedExecutor final : public Executor {
public:
    struct Plan {
        std::chrono::microseconds runTime{};
        AttemptResult result; ///< outcome and output; times are filled in here
    };
    /// Asked at each start.
    using Planner = std::function<Plan(const Launch&)>;

    /// @param clock  outlives the executor
    /// @param slots  so many may run at once; more is a complaint
    SimulatedExecutor(const Clock& clock, std::uint32_t slots, Planner planner)
        : m_clock(clock), m_slots(slots), m_planner(std::move(planner))
    {}

    void setCallbacks(Callbacks callbacks) override { m_callbacks = std::move(callbacks); }
    void start(Launch launch) override;
    void stop(AttemptKey key, StopReason reason) override;
    void stopAll(StopReason reason, std::function<void()> done) override;
    void peek(const OutputQuery& query, std::function<void(OutputAnswer)> answer) override;
    void fetch(const OutputQuery& query, bool wait,
               std::function<void(FetchedOutput)> answer) override;
    void release(AttemptKey) override {}

    /// Tells what has happened up to now.
    void poll();
    /// When poll() has something to tell; none: nothing runs.
    [[nodiscard]] std::optional<SteadyTime> nextDue() const;
    [[nodiscard]] bool runs(AttemptKey key) const { return m_running.contains(key); }
    /// Cannot run anything any more: what runs is gone, the listener is told.
    void breakDown(std::string reason);
    /// What was asked for that must not be; empty: nothing.
    [[nodiscard]] const std::string& complaint() const { return m_complaint; }

private:
    struct Running {
        SlotIndex slot;
        SteadyTime startedAt;
        SteadyTime endsAt;
        WallTime wallStart;
        bool startTold = false;
        AttemptResult result;
    };
    struct StopOrder {
        SteadyTime doneAt;
        std::function<void()> done;
    };

    static constexpr std::chrono::microseconds startTime{300}; ///< until a process exists
    static constexpr std::chrono::milliseconds killTime{3};    ///< until one is gone

    const Clock& m_clock;
    std::uint32_t m_slots;
    Planner m_planner;
    Callbacks m_callbacks;
    std::map<AttemptKey, Running> m_running;
    std::vector<StopOrder> m_stopOrders;
    std::vector<std::function<void()>> m_peeks;
    std::string m_complaint;
};

} // namespace tasuki
