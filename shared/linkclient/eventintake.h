// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "eventbatch.h"
#include "wire/linkmessages.h"

#include <cstdint>
#include <memory>

namespace tasuki {

/// Which events of an agent have been received. They come one after the other, without a gap.
class EventIntake {
public:
    /// What the begin of a snapshot means.
    enum class Begin : std::uint8_t {
        GoesOn,   ///< after what was received
        Restarts, ///< with the first event: what was received does not count any more
        Wrong,    ///< elsewhere than was asked for
    };

    /// What has happened up to an event does not matter: nothing was received yet.
    void beginAfter(EventId event) { m_last = event; }
    /// The next subscription is for everything.
    void restart() { m_fromStart = true; }
    [[nodiscard]] link::Subscribe subscription(const RunId& run);
    [[nodiscard]] Begin begin(const link::SnapshotBegin& message);
    /// @return how many events there are up to one; 0: they cannot be counted
    [[nodiscard]] std::uint64_t toCome(EventId upTo) const;
    /// Takes events over.
    /// @return null: some are missing
    [[nodiscard]] std::shared_ptr<EventBatch> take(link::Events&& message);
    /// Of what was received.
    [[nodiscard]] EventId last() const { return m_last; }

private:
    EventId m_last;
    bool m_fromStart = false;
};

} // namespace tasuki
