// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "wire/linkmessages.h"

#include <cstddef>
#include <string>
#include <vector>

namespace tasuki::testing {

/// Takes the events of one connection as a window has to, and notes the first thing that is against
/// the rules: an event twice, out of order, outside its snapshot, a snapshot that does not follow.
class EventCollector {
public:
    void take(const link::AgentMessage& message);

    /// Empty: nothing was wrong.
    [[nodiscard]] const std::string& problem() const { return m_problem; }
    [[nodiscard]] const std::vector<Event>& events() const { return m_events; }
    [[nodiscard]] EventId last() const;
    /// Whether a snapshot has ended and none goes on.
    [[nodiscard]] bool live() const { return m_snapshots > 0 && !m_inSnapshot; }

    [[nodiscard]] std::size_t snapshots() const { return m_snapshots; }
    [[nodiscard]] std::size_t resets() const { return m_resets; }
    [[nodiscard]] std::size_t gaps() const { return m_gaps; }
    [[nodiscard]] std::size_t frames() const { return m_frames; }
    [[nodiscard]] const link::SnapshotBegin& latestSnapshot() const { return m_begin; }

    /// Begins with what a window has kept from an earlier connection.
    void keep(std::vector<Event> events) { m_events = std::move(events); }

private:
    void complain(const std::string& what);
    void takeEvents(const link::Events& message);

    std::vector<Event> m_events;
    std::string m_problem;
    link::SnapshotBegin m_begin;
    bool m_inSnapshot = false;
    bool m_gapOpen = false;
    std::size_t m_snapshots = 0; ///< that have ended
    std::size_t m_resets = 0;
    std::size_t m_gaps = 0;
    std::size_t m_frames = 0;
};

/// @return events as windows get them: how much attempts wrote, but not what
std::vector<Event> streamed(std::vector<Event> events);

} // namespace tasuki::testing
