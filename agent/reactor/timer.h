// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <functional>
#include <memory>

namespace tasuki {

class Reactor;

/// Runs a function on the reactor's thread after a time. All calls on that thread.
class Timer {
public:
    using Action = std::function<void()>;

    /// @param reactor  outlives the timer
    explicit Timer(Reactor& reactor);
    Timer(const Timer&) = delete;
    Timer& operator=(const Timer&) = delete;
    /// Cancels.
    ~Timer();

    /// Runs `action` once, `delay` from now; replaces what was started before. The action may
    /// start the timer again, or destroy it.
    void startAfter(std::chrono::nanoseconds delay, Action action);
    /// The action will not run. Nothing happens when none was started.
    void cancel();
    [[nodiscard]] bool running() const;

private:
    struct State;
    static void arm(const std::shared_ptr<State>& state, std::chrono::nanoseconds delay);

    std::shared_ptr<State> m_state; ///< shared with the completion that is under way
};

} // namespace tasuki
