// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "launchend.h"
#include "restartterms.h"

#include "domain/clock.h"

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>

namespace tasuki {

/// Decides whether a launch whose run has ended is started again, and counts how often that was done.
/// The table of its decisions is in docs/launch.md. Pure logic.
class Restarts {
public:
    /// @param restartCode  exit code of a run that ended in order to be started again
    explicit Restarts(int restartCode) : m_restartCode(restartCode) {}

    enum class Verdict : std::uint8_t {
        End,     ///< the run has its exit code
        Again,   ///< start it again
        TooOften ///< it would be started again, had it not been too often already
    };
    struct Decision {
        Verdict verdict = Verdict::End;
        std::string text = {};             ///< in one line for people; empty with End
        std::chrono::milliseconds pause{}; ///< before the next start: longer each time
    };
    /// A life of the run has ended.
    /// @param now  when the next one would be started
    Decision decide(const LaunchEnd& end, SteadyTime now);

    /// What holds for the run, as was told last in any of its lives.
    [[nodiscard]] const RestartTerms& terms() const { return m_terms; }

private:
    [[nodiscard]] std::string reasonOf(const LaunchEnd& end) const;

    int m_restartCode;
    RestartTerms m_terms;
    std::deque<SteadyTime> m_starts; ///< that still count, the oldest first
};

} // namespace tasuki
