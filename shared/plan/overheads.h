// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "callsequence.h"

#include <cstdint>
#include <span>
#include <vector>

namespace tasuki::plan {

/// How long sends and receives take by themselves, without waiting for each other: what is left of
/// their traced durations when the waiting goes.
///
/// A send that was over before its receive was called did not wait: its duration counts as it is. For
/// one that may have waited, the median of those of about its size that did not is taken, else 0.
/// Of a receive that was called when its message can have been there already, nobody knows whether
/// the message was there: what one takes at most is what the shortest tenth of about its size took.
/// Of a message that waited for its receive this includes the message's way.
class Overheads {
public:
    /// @param sequences  callSequences() of the trace
    Overheads(const trace::Trace& trace, std::span<const CallSequence> sequences);

    /// @return microseconds at the speed of the traced node; [message]
    [[nodiscard]] double sendUs(std::uint32_t message) const { return m_sendUs[message]; }
    [[nodiscard]] double receiveUs(std::uint32_t message) const { return m_receiveUs[message]; }

private:
    std::vector<double> m_sendUs;
    std::vector<double> m_receiveUs;
};

} // namespace tasuki::plan
