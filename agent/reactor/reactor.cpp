// SPDX-License-Identifier: GPL-3.0-or-later
#include "reactor.h"

#include <algorithm>
#include <atomic>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <cassert>
#include <utility>
#include <vector>

#include <sched.h>

namespace tasuki {

namespace {

/// While there is traffic, file descriptors are looked at once in so many turns: asking the
/// kernel costs more than a turn.
constexpr unsigned turnsBetweenServing = 4;
/// Handlers that run before the next poll, at most.
constexpr unsigned handlersPerTurn = 64;

} // namespace

struct Reactor::Core {
    using WorkGuard = boost::asio::executor_work_guard<boost::asio::io_context::executor_type>;

    Core(const Clock& theClock, const BackoffPolicy& policy)
        : clock(theClock), backoff(policy, theClock.now()), guard(context.get_executor())
    {}

    const Clock& clock;
    Backoff backoff;
    boost::asio::io_context context{1};
    WorkGuard guard;                  ///< run_one_for() sleeps although nothing is to be done
    std::vector<Pollable*> pollables; ///< null: removed during a poll
    std::atomic<bool> stopRequested = false;
    bool woken = false;
    unsigned turnsUnserved = 0;
};

Reactor::Reactor(const Clock& clock, const BackoffPolicy& backoff)
    : m_core(std::make_unique<Core>(clock, backoff))
{}

Reactor::~Reactor()
{
    assert(std::all_of(m_core->pollables.begin(), m_core->pollables.end(),
                       [](const Pollable* pollable) { return pollable == nullptr; }));
}

boost::asio::io_context& Reactor::context() { return m_core->context; }

void Reactor::add(Pollable& pollable)
{
    m_core->pollables.push_back(&pollable);
    wake();
}

void Reactor::remove(Pollable& pollable)
{
    std::replace(m_core->pollables.begin(), m_core->pollables.end(), &pollable,
                 static_cast<Pollable*>(nullptr));
}

void Reactor::run()
{
    m_core->context.restart();
    while (!m_core->stopRequested.exchange(false))
        turn();
}

void Reactor::stop()
{
    m_core->stopRequested = true;
    // Ends a sleep; the context itself must not stop, or posted work would wait for ever.
    boost::asio::post(m_core->context, [] {});
}

void Reactor::post(std::function<void()> work)
{
    boost::asio::post(m_core->context, std::move(work));
}

void Reactor::wake() { m_core->woken = true; }

void Reactor::expectTraffic(std::chrono::nanoseconds time)
{
    m_core->backoff.expect(m_core->clock.now() + time);
}

void Reactor::stayAwake(std::chrono::nanoseconds time)
{
    m_core->backoff.stayAwake(m_core->clock.now() + time);
}

void Reactor::turn()
{
    const SteadyTime now = m_core->clock.now();
    const bool woken = std::exchange(m_core->woken, false);
    const bool moved = pollAll();
    if (m_core->stopRequested)
        return;
    if (!moved && m_core->backoff.isAwake(now))
        ::sched_yield();
    serve(m_core->backoff.next(moved || woken || m_core->woken, now));
}

bool Reactor::pollAll()
{
    auto& pollables = m_core->pollables;
    bool moved = false;
    // By index: poll() may add and remove.
    for (std::size_t index = 0; index < pollables.size(); ++index) {
        if (pollables[index] != nullptr)
            moved = pollables[index]->poll() || moved;
    }
    std::erase(pollables, nullptr);
    return moved;
}

/// Sleeps at most `nap` and runs the handlers that are ready.
void Reactor::serve(std::chrono::nanoseconds nap)
{
    boost::asio::io_context& context = m_core->context;
    unsigned handlers = 0;
    if (nap > nap.zero()) {
        handlers = static_cast<unsigned>(context.run_one_for(nap));
        if (handlers == 0)
            return;
    } else if (++m_core->turnsUnserved < turnsBetweenServing) {
        return;
    }
    m_core->turnsUnserved = 0;
    while (handlers < handlersPerTurn && !m_core->stopRequested && context.poll_one() > 0)
        ++handlers;
}

} // namespace tasuki
