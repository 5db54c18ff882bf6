// SPDX-License-Identifier: GPL-3.0-or-later
#include "ticker.h"

#include <algorithm>
#include <cassert>
#include <utility>

namespace tasuki::control {

Ticker::Ticker(boost::asio::io_context& context, std::chrono::nanoseconds period,
               std::function<void()> tick)
    : m_timer(context),
      m_period(period),
      m_tick(std::move(tick)),
      m_last(std::chrono::steady_clock::now()),
      m_due(m_last + period)
{
    assert(period.count() > 0);
    arm();
}

Ticker::~Ticker() = default;

void Ticker::setPeriod(std::chrono::nanoseconds period)
{
    assert(period.count() > 0);
    note(std::chrono::steady_clock::now());
    m_period = period;
    m_due = std::chrono::steady_clock::now() + period;
    arm();
}

Lateness Ticker::takeLateness()
{
    note(std::chrono::steady_clock::now());
    return std::exchange(m_lateness, {});
}

void Ticker::note(SteadyTime now)
{
    m_lateness.longestDelay = std::max<std::chrono::nanoseconds>(m_lateness.longestDelay,
                                                                 now - m_due);
    if (now >= m_due)
        m_lateness.longestGap = std::max<std::chrono::nanoseconds>(m_lateness.longestGap,
                                                                   now - m_last);
}

void Ticker::arm()
{
    // Sets aside a wait that is under way; one whose completion is queued already looks at the time.
    m_timer.expires_at(m_due);
    m_timer.async_wait([this, alive = std::weak_ptr(m_alive)](const auto& error) {
        if (error || alive.expired())
            return;
        const SteadyTime now = std::chrono::steady_clock::now();
        if (now < m_due)
            return;
        note(now);
        m_last = now;
        m_due += m_period;
        if (m_due <= now)
            m_due = now + m_period;
        arm();
        m_tick();
    });
}

} // namespace tasuki::control
