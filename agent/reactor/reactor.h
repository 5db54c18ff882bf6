// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "backoff.h"
#include "domain/clock.h"
#include "pollable.h"

#include <chrono>
#include <functional>
#include <memory>

namespace boost::asio {
class io_context;
}

namespace tasuki {

/// The event loop of a processor: one thread that serves sockets, timers and posted work, and polls
/// what must be polled, often while there is traffic and seldom when there is none.
///
/// All calls on the thread of run(), unless they say otherwise. Asio is seen only by those who
/// include it: they get their sockets from context().
class Reactor {
public:
    /// @param clock  outlives the reactor; decides how idle the reactor is. Sleeping is real.
    explicit Reactor(const Clock& clock, const BackoffPolicy& backoff = {});
    Reactor(const Reactor&) = delete;
    Reactor& operator=(const Reactor&) = delete;
    /// Timers and sockets made from context() must be gone.
    ~Reactor();

    [[nodiscard]] boost::asio::io_context& context();

    /// Polls `pollable` from now on, until removed. Both may be called from within poll().
    /// @param pollable  must be removed before it ends
    void add(Pollable& pollable);
    void remove(Pollable& pollable);

    /// Serves until stop(). An exception of a handler or pollable leaves run(), which may then be
    /// called again.
    void run();
    /// Ends the current run(), or the next one if none is going on. Work that is posted and not
    /// run yet stays for the next run(). From any thread.
    void stop();
    /// Runs a function on the reactor's thread, soon, after what was posted before. From any
    /// thread.
    void post(std::function<void()> work);
    /// There is something to poll for, a message just queued for example: polls without sleeping
    /// first. Not needed in functions that the reactor itself runs, for example handlers and posted
    /// work: it polls after them anyway.
    void wake();
    /// Something is under way whose next messages are near: naps are short for so long.
    void expectTraffic(std::chrono::nanoseconds time);
    /// The same of what must not wait: for so long there are no naps, and who else wants the processor gets it between
    /// two polls.
    void stayAwake(std::chrono::nanoseconds time);

private:
    struct Core;

    void turn();
    bool pollAll();
    void serve(std::chrono::nanoseconds nap);

    std::unique_ptr<Core> m_core;
};

} // namespace tasuki
