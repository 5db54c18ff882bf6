// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>
#include <string>

namespace tasuki::link {

/// The bytes of a frame, shared by all windows that they are sent to.
using SharedFrame = std::shared_ptr<const std::string>;

/// The latest events, encoded once for all windows. Each window has a place in it, counted in
/// frames; one that falls behind what is kept has to go back to the run file. This is what bounds
/// the memory that slow windows cost: one limit for all of them.
class RecentEvents {
public:
    /// @param limit  bytes that are kept; the latest frame is kept in any case
    explicit RecentEvents(std::size_t limit) : m_limit(limit) {}

    /// Adds a frame with the events after last().
    void add(SharedFrame frame, EventId last);
    /// Events up to an id have come that are not kept: every place before is lost.
    void skipTo(EventId last);

    /// The latest event of all.
    [[nodiscard]] EventId last() const { return m_last; }
    /// The place of the frame that will be added next.
    [[nodiscard]] std::uint64_t end() const { return m_begin + m_frames.size(); }
    /// Whether everything from a place on is kept.
    [[nodiscard]] bool holds(std::uint64_t place) const { return place >= m_begin; }

    struct Frame {
        SharedFrame bytes;
        EventId last;
    };
    /// Precondition: holds(place) and place < end().
    [[nodiscard]] const Frame& at(std::uint64_t place) const { return m_frames[place - m_begin]; }

private:
    std::size_t m_limit;
    std::size_t m_bytes = 0;
    std::uint64_t m_begin = 0;
    std::deque<Frame> m_frames;
    EventId m_last;
};

} // namespace tasuki::link
