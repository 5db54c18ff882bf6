// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "history.h"
#include "recentevents.h"

#include "domain/result.h"
#include "wire/linkmessages.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tasuki::link {

/// What one window is to be sent of the events. Hands out every event once, in order, whatever the
/// pace at which it is asked.
///
///   state    | next() finds                     | it gives                        | state after
///   ---------+----------------------------------+---------------------------------+------------
///   Idle     |                                  | nothing                         | Idle
///   Snapshot | more events up to its end        | (SnapshotBegin,) a chunk        | Snapshot
///   Snapshot | none, or the last of them        | ..., SnapshotEnd                | Live
///   Live     | what comes next is kept          | frames that all windows share   | Live
///   Live     | it is not kept any more          | Gap; a new snapshot begins      | Snapshot
///
/// subscribe() begins a snapshot in every state.
class Feed {
public:
    /// @param chunkBytes  about the size of a chunk of a snapshot
    Feed(RecentEvents& recent, History& history, std::size_t chunkBytes)
        : m_recent(recent), m_history(history), m_chunkBytes(chunkBytes)
    {}

    Result<void> subscribe(const Subscribe& wish);

    /// @param bytes  about how much is wanted
    /// @return frames to send; empty: the window has everything
    Result<std::vector<SharedFrame>> next(std::size_t bytes);

    [[nodiscard]] bool subscribed() const { return m_state != State::Idle; }

private:
    enum class State : std::uint8_t { Idle, Snapshot, Live };
    void beginSnapshot(EventId after, bool reset);
    Result<void> nextOfSnapshot(std::vector<SharedFrame>& frames);
    void nextOfRecent(std::size_t bytes, std::vector<SharedFrame>& frames);

    RecentEvents& m_recent;
    History& m_history;
    std::size_t m_chunkBytes;
    State m_state = State::Idle;
    EventId m_delivered;       ///< the latest event that was handed out
    EventId m_upTo;            ///< end of the snapshot
    std::uint64_t m_place = 0; ///< in the recent events, of what comes after the snapshot
    bool m_reset = false;
    bool m_begun = false; ///< SnapshotBegin was handed out
};

/// A message as a frame. Precondition: it is smaller than frames may be.
SharedFrame framed(const AgentMessage& message);

} // namespace tasuki::link
