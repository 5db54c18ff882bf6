// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "domain/result.h"

#include <cstddef>
#include <functional>
#include <vector>

namespace tasuki {

/// Gives events their place in the run's one order and makes them durable. One thread: calls and
/// callbacks happen on the reactor's.
class Journal {
public:
    struct Callbacks {
        /// Events are in the record, in order, each exactly once. Never called from append().
        std::function<void(std::vector<Event>)> committed;
        /// The record cannot be written; it is tried again until `resumed`.
        std::function<void(const Error&)> stalled;
        std::function<void()> resumed;
    };

    Journal() = default;
    Journal(const Journal&) = delete;
    Journal& operator=(const Journal&) = delete;
    virtual ~Journal() = default;

    /// Must be called before the first append().
    virtual void setCallbacks(Callbacks callbacks) = 0;
    /// Takes an event. Never blocks.
    /// @return its identity, greater than that of every earlier event of the run
    virtual EventId append(EventPayload payload) = 0;
    /// Somebody has nothing to do until what was taken is committed: what is left waiting for company
    /// goes at once.
    virtual void hurry() = 0;
    /// Events that have been taken and not been committed.
    [[nodiscard]] virtual std::size_t uncommitted() const = 0;
    [[nodiscard]] virtual Epoch epoch() const = 0;
};

} // namespace tasuki
