// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linkmessages.h"

#include "domain/result.h"

#include <cstddef>
#include <memory>
#include <string>

namespace tasuki::wire::link {
class AgentMessage;
class Events;
class Task;
} // namespace tasuki::wire::link

namespace tasuki::link {

/// Longer commands are shortened in the stream of events, in bytes.
inline constexpr std::size_t streamedCommandBytes = 4 * 1024;
/// Most events of one message.
inline constexpr std::size_t eventsPerMessage = 65'536;

/// Makes Events messages. An attempt's event takes 20 to 60 bytes, without what was written; tasks
/// that share their settings object send it once a message. One thread at a time.
class EventsEncoder {
public:
    EventsEncoder();
    EventsEncoder(EventsEncoder&&) noexcept;
    EventsEncoder& operator=(EventsEncoder&&) noexcept;
    ~EventsEncoder();

    /// @param event  its id is greater than that of the event before; at most eventsPerMessage
    void add(const Event& event);

    [[nodiscard]] std::size_t count() const;
    /// About the size of the message.
    [[nodiscard]] std::size_t bytes() const { return m_bytes; }
    [[nodiscard]] EventId last() const { return m_last; }

    /// @return the message as encode(AgentMessage) yields it, and begins the next
    std::string take();

private:
    class Impl;
    std::unique_ptr<Impl> m_impl;
    std::size_t m_bytes = 0;
    EventId m_last;
};

/// @return an Error of kind Protocol for unknown kinds and numbers out of range
Result<Events> decodeEvents(wire::link::Events&& message);

/// A task in full, its settings apart.
void encodeTask(const Task& task, wire::link::Task& out);
/// The settings are left null.
Task decodeTask(wire::link::Task&& message);

} // namespace tasuki::link
