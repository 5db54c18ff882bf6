// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <algorithm>
#include <chrono>

namespace tasuki::hierarchy {

/// When a word that lasts for some time was given, and how late its hearer was itself since: while
/// it was late it sent nothing that could be answered. A value.
class Renewal {
public:
    /// The word is of a time; lateness before it counts no more.
    void restart(SteadyTime when)
    {
        m_given = when;
        m_late = {};
    }
    /// The word is taken as of a time. Lateness counts as before.
    void move(SteadyTime when) { m_given = when; }
    /// The word counts as of no later than that.
    void lower(SteadyTime when) { m_given = std::min(m_given, when); }
    /// A word has come.
    /// @param when  it was given
    /// @return whether it is newer
    bool renew(SteadyTime when)
    {
        if (when <= m_given)
            return false;
        m_given = when;
        if (when >= m_lateUntil)
            m_late = {};
        return true;
    }
    /// The hearer was late until now: what was said before says nothing of now.
    void addLateness(std::chrono::nanoseconds late, SteadyTime now)
    {
        m_late += late;
        m_lateUntil = now;
    }
    void forgetLateness() { m_late = {}; }

    [[nodiscard]] SteadyTime given() const { return m_given; }
    [[nodiscard]] std::chrono::nanoseconds late() const { return m_late; }
    [[nodiscard]] std::chrono::nanoseconds age(SteadyTime now) const { return now - m_given; }
    /// @return the age without the own lateness
    [[nodiscard]] std::chrono::nanoseconds excusedAge(SteadyTime now) const
    {
        return now - m_given - m_late;
    }

private:
    SteadyTime m_given{};
    std::chrono::nanoseconds m_late{};
    SteadyTime m_lateUntil{};
};

} // namespace tasuki::hierarchy
