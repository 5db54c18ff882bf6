// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <cassert>
#include <cstdint>
#include <functional>
#include <future>
#include <memory>
#include <type_traits>
#include <utility>

#include <boost/asio/io_context.hpp>

namespace tasuki::control {

/// What the scheduler gives a thread over others.
enum class ThreadPriority : std::uint8_t {
    RealTime, ///< SCHED_RR: before everything that is not
    Raised,   ///< a nice value below zero
    Plain,    ///< as all others: the system allows no more
};

/// A thread "control" with an event loop, before others when the system allows it. Takes none of the
/// process's signals.
///
/// Values go in by post() and call(). Values go out by the poster of whoever wants them: a function
/// that runs here calls Reactor::post(), for example. What lives here, as ControlNetwork, is
/// made and destroyed here: by call(), before the thread ends.
class ControlThread {
public:
    /// @return an Error when the system gives no thread or no event loop
    static Result<std::unique_ptr<ControlThread>> start();

    /// Runs what was posted before, then ends the loop whatever else is under way, and joins.
    ~ControlThread();
    ControlThread(const ControlThread&) = delete;
    ControlThread& operator=(const ControlThread&) = delete;

    /// For what lives on the thread; usable until the destructor has ended.
    [[nodiscard]] boost::asio::io_context& context();

    /// Runs a function on the thread, soon, after what was posted before. From any thread. It must
    /// not throw.
    void post(std::function<void()> work);

    /// Runs a function on the thread and waits for what it returns. From any other thread: it must
    /// not be asked for by the control thread itself. Not from a thread that the function waits for.
    template <class Function>
    auto call(Function function)
    {
        assert(!here());
        using Value = std::invoke_result_t<Function>;
        auto task = std::make_shared<std::packaged_task<Value()>>(std::move(function));
        auto result = task->get_future();
        post([task] { (*task)(); });
        return result.get();
    }

    /// Whether the caller is the thread.
    [[nodiscard]] bool here() const;
    /// What it got.
    [[nodiscard]] ThreadPriority priority() const;

private:
    struct Core;
    explicit ControlThread(std::unique_ptr<Core> core);
    std::unique_ptr<Core> m_core;
};

} // namespace tasuki::control
