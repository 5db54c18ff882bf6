// SPDX-License-Identifier: GPL-3.0-or-later
#include "timer.h"

#include "reactor.h"

#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <cstdint>
#include <utility>

namespace tasuki {

struct Timer::State {
    explicit State(boost::asio::io_context& context) : timer(context) {}

    boost::asio::steady_timer timer;
    Action action;                ///< empty: not running
    std::uint64_t generation = 0; ///< a completion of an earlier one is too late
};

Timer::Timer(Reactor& reactor) : m_state(std::make_shared<State>(reactor.context())) {}

Timer::~Timer() { cancel(); }

void Timer::startAfter(std::chrono::nanoseconds delay, Action action)
{
    m_state->action = std::move(action);
    arm(m_state, delay);
}

void Timer::arm(const std::shared_ptr<State>& state, std::chrono::nanoseconds delay)
{
    const std::uint64_t generation = ++state->generation;
    state->timer.expires_after(
        std::chrono::duration_cast<boost::asio::steady_timer::duration>(delay));
    // Weak: a completion that comes after the timer's end finds nothing.
    state->timer.async_wait(
        [weak = std::weak_ptr(state), generation](const boost::system::error_code&) {
            const std::shared_ptr<State> living = weak.lock();
            if (!living || living->generation != generation || !living->action)
                return;
            const Action action = std::exchange(living->action, nullptr);
            action();
        });
}

void Timer::cancel()
{
    m_state->action = nullptr;
    ++m_state->generation;
    m_state->timer.cancel();
}

bool Timer::running() const { return m_state->action != nullptr; }

} // namespace tasuki
