// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"

namespace tasuki {

/// Gets every event of a session, in order, on the GUI thread. Must be quick: it is called up to a
/// million times a second; what views are told goes out with Session::changed().
class EventSink {
public:
    EventSink() = default;
    EventSink(const EventSink&) = delete;
    EventSink& operator=(const EventSink&) = delete;
    virtual ~EventSink() = default;

    /// The session's state has taken the event.
    virtual void take(const Event& event) = 0;
    /// All that was taken is void: the events come again from the first.
    virtual void reset() = 0;
};

} // namespace tasuki
