// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>

namespace tasuki {

/// How who follows the run of an agent deals with time. All can be shortened for tests.
struct AgentTiming {
    std::chrono::milliseconds ping{1000};      ///< between signs of life
    std::chrono::milliseconds silence{5000};   ///< without one the connection is lost
    std::chrono::milliseconds handshake{5000}; ///< until both have proved themselves
    std::chrono::milliseconds firstDelay{250}; ///< before the first new try; doubles, with jitter
    std::chrono::milliseconds longestDelay{10000}; ///< no delay is longer
    std::chrono::milliseconds look{1000};    ///< how often a lost agent's successor is looked for,
    std::chrono::milliseconds firstLook{50}; ///< at first so soon, then twice as long each time
    std::chrono::seconds succession{60};     ///< who has not come by then is not waited for
};

} // namespace tasuki
