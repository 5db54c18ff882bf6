// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/result.h"

#include <cstddef>
#include <deque>
#include <functional>
#include <string>

namespace tasuki {

/// Tells what went wrong between processors off MPI, unless a loss explains it: connections to the
/// dead break, and that they are dead is told anyway. Reactor's thread.
class ProblemLog {
public:
    /// @param say  writes a line for people
    explicit ProblemLog(std::function<void(const std::string&)> say) : m_say(std::move(say)) {}

    void note(const Error& problem, SteadyTime now);
    /// So many processors are lost, or have left, by now. Only new losses explain problems.
    void lost(std::size_t inAll, SteadyTime now);
    /// All have reached each other for the first time: what was in the way of that is not told.
    void overcome() { m_items.clear(); }
    /// Tells what no loss has explained. To be called often.
    void tick(SteadyTime now);

private:
    struct Item {
        SteadyTime at;
        std::string text;
    };
    std::function<void(const std::string&)> m_say;
    std::deque<Item> m_items;
    SteadyTime m_explainedUntil{};
    std::size_t m_lost = 0;
};

} // namespace tasuki
