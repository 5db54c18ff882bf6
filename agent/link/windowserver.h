// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "wire/linkmessages.h"

#include <memory>
#include <string>
#include <vector>

namespace tasuki::link {

/// Tells the windows of an agent what happens: LinkServer, or who stands in for it in tests.
class WindowServer {
public:
    WindowServer() = default;
    WindowServer(const WindowServer&) = delete;
    WindowServer& operator=(const WindowServer&) = delete;
    virtual ~WindowServer() = default;

    /// Tells of events that are in the run file, in order, each once. Never waits; from one thread.
    virtual void published(std::shared_ptr<const std::vector<Event>> committed) = 0;
    /// Tells how the agent is. The latest goes to all windows. Any thread; never waits.
    virtual void status(Status status) = 0;
    /// Sends what is published and Bye to all windows, for LinkLimits::closing at most. Once more: does nothing.
    virtual void close(std::string reason) = 0;
    /// The same, but all connections break without a reason, and windows look for another agent of the run.
    virtual void drop() = 0;
};

} // namespace tasuki::link
