// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <algorithm>
#include <chrono>
#include <optional>

namespace tasuki::farm {

/// When a call that was not answered is said again: soon at first, as the called one may just be
/// about to listen (a successor that takes over), then less and less often. Pure state.
class Repetition {
public:
    /// The next call is the first of its kind, and due at once.
    void restart() { *this = {}; }

    [[nodiscard]] bool isDue(SteadyTime now) const
    {
        return !m_saidAt || now - *m_saidAt >= m_pause;
    }

    /// The call was said.
    void said(SteadyTime now)
    {
        m_pause = m_saidAt ? std::min(2 * m_pause, longestPause) : firstPause;
        m_saidAt = now;
    }

private:
    static constexpr std::chrono::milliseconds firstPause{10};
    static constexpr std::chrono::milliseconds longestPause{50};

    std::optional<SteadyTime> m_saidAt;
    std::chrono::milliseconds m_pause = firstPause;
};

} // namespace tasuki::farm
