// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "forecast.h"
#include "scheduler.h"

#include "domain/clock.h"
#include "domain/ids.h"

#include <chrono>
#include <map>
#include <optional>
#include <vector>

namespace tasuki::farm {

/// What follows from an end of the allocation that is known beforehand: which tasks may still start, and
/// who is to be warned. Pure logic.
class AllocationEnd {
public:
    /// A signal that attempts of one worker group or another are to get.
    struct Warning {
        int signalNumber = 0;
        AttemptKey key;
    };

    /// @param endsAt  nothing of the run lives any more by then
    explicit AllocationEnd(SteadyTime endsAt) : m_stopAt(endsAt - margin) {}

    /// When what still runs is interrupted.
    [[nodiscard]] SteadyTime stopAt() const { return m_stopAt; }
    [[nodiscard]] Forecast& forecast() { return m_forecast; }

    /// @return whether a task would end in time, and if so, whether it may wait for a slot
    [[nodiscard]] Fit fit(const Task& task, SteadyTime now) const;
    void started(AttemptKey key, const Task& task, SteadyTime now);
    void ended(AttemptKey key);
    /// @return who is to be warned now: attempts that want it, and will not end in time as far as is known
    std::vector<Warning> warningsDue(SteadyTime now);

    /// It takes that long to kill what runs, to record it and to leave.
    static constexpr std::chrono::milliseconds margin{2'000};

private:
    struct Running {
        std::optional<SteadyTime> expected; ///< its end
        int signalNumber = 0;               ///< of its warning; 0: it wants none, or has had it
        SteadyTime warnFrom;
    };

    SteadyTime m_stopAt;
    Forecast m_forecast;
    std::map<AttemptKey, Running> m_running;
    std::size_t m_unknown = 0;             ///< of those, without an expected end
    std::chrono::microseconds m_longest{}; ///< of the expected times of all that has run
};

} // namespace tasuki::farm
