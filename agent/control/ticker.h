// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"

#include <chrono>
#include <functional>
#include <memory>

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>

namespace tasuki::control {

/// How late the loop that a ticker runs in has been.
struct Lateness {
    /// Longest time between two ticks that followed each other.
    std::chrono::nanoseconds longestGap{};
    /// Longest time by which a tick came after it was due.
    std::chrono::nanoseconds longestDelay{};
};

/// Calls a function at a steady pace, and measures by it how late its loop is: because the process was
/// stopped, the processor was busy with others, or a function took long. Control thread only.
///
/// Ticks are due a period apart, whatever the function takes. Those that were missed are not made up
/// for: the next one is due a period after the late one then.
class Ticker {
public:
    /// @param period  above zero; the first tick is due after one
    Ticker(boost::asio::io_context& context, std::chrono::nanoseconds period,
           std::function<void()> tick);
    ~Ticker();
    Ticker(const Ticker&) = delete;
    Ticker& operator=(const Ticker&) = delete;

    /// The next tick is due after the new period.
    void setPeriod(std::chrono::nanoseconds period);

    /// @return how late it was since last asked. A tick that is overdue now counts, so that it does
    ///         not matter whether a datagram or the tick is served first after a pause.
    Lateness takeLateness();

private:
    void arm();
    void note(SteadyTime now);

    boost::asio::steady_timer m_timer;
    std::chrono::nanoseconds m_period;
    std::function<void()> m_tick;
    SteadyTime m_last;
    SteadyTime m_due;
    Lateness m_lateness;
    std::shared_ptr<int> m_alive = std::make_shared<int>(); ///< completions look whether it is
};

} // namespace tasuki::control
