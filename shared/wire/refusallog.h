// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace tasuki::link {

/// What strangers can make a log say: a few lines in full, the others summed up. No clock of its own.
class RefusalLog {
public:
    static constexpr std::chrono::seconds period{10};
    static constexpr int inFull = 4; ///< lines of a period

    /// @return the line if it is to be logged now; else it is counted for takeSummary()
    std::optional<std::string> add(std::string line, SteadyTime now)
    {
        if (!m_began || (now - *m_began >= period && m_held == 0)) {
            m_began = now;
            m_said = 0;
        }
        if (m_held == 0 && m_said < inFull) {
            ++m_said;
            return line;
        }
        ++m_held;
        m_latest = std::move(line);
        return std::nullopt;
    }
    /// When takeSummary() has something to say; none: it has not.
    [[nodiscard]] std::optional<SteadyTime> due() const
    {
        return m_held == 0 ? std::nullopt : std::optional(*m_began + period);
    }
    /// @return one line on all that was held back; none: nothing was, or it is not due
    std::optional<std::string> takeSummary(SteadyTime now)
    {
        if (m_held == 0 || now < *due())
            return std::nullopt;
        m_began = now;
        m_said = inFull;
        return std::to_string(std::exchange(m_held, 0))
            + " more connections were refused within 10 s; the latest: " + m_latest;
    }

private:
    std::optional<SteadyTime> m_began; ///< of this period
    int m_said = 0;
    std::uint64_t m_held = 0;
    std::string m_latest;
};

} // namespace tasuki::link
