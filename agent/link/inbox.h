// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linkserver.h"

#include <cstddef>
#include <memory>
#include <mutex>
#include <optional>
#include <vector>

namespace tasuki::link {

/// Carries committed events and the latest status to the link's thread. Bounded: when that thread
/// is late, batches are forgotten and only their end is kept, for the events are in the run file.
class Inbox {
public:
    using Batch = std::shared_ptr<const std::vector<Event>>;
    struct Content {
        std::optional<EventId> forgotten; ///< the latest event that is not in `batches`
        std::vector<Batch> batches;       ///< what came after it
        std::optional<Status> status;     ///< when it has changed
    };

    /// Forgets more than so many events, or so many bytes of commands and outputs.
    Inbox(std::size_t events, std::size_t bytes) : m_maxEvents(events), m_maxBytes(bytes) {}

    /// Any thread. @return whether it was empty: somebody must be told to take
    bool put(Batch batch);
    bool put(const Status& status);

    /// Link's thread.
    Content take();

private:
    [[nodiscard]] bool isEmpty() const;

    const std::size_t m_maxEvents;
    const std::size_t m_maxBytes;
    std::mutex m_mutex;
    Content m_content;
    std::size_t m_events = 0;
    std::size_t m_bytes = 0;
};

} // namespace tasuki::link
