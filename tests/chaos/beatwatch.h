// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <map>
#include <optional>
#include <thread>
#include <utility>

namespace tasuki::testing {

/// Listens to the beats that processors of this host send each other over the loopback interface, by
/// the times at which the kernel saw them. Needs the right to open raw sockets.
class BeatWatch {
public:
    BeatWatch();
    ~BeatWatch();
    BeatWatch(const BeatWatch&) = delete;
    BeatWatch& operator=(const BeatWatch&) = delete;

    struct Gap {
        std::chrono::nanoseconds longest{};
        int from = 0;
        int to = 0;
        unsigned long beats = 0; ///< heard in all
    };
    /// Stops listening.
    /// @return the longest time between two beats of one processor to the same master; none: nothing
    ///         could be heard
    std::optional<Gap> end();

private:
    void listen(const std::stop_token& stop);
    void take(const unsigned char* packet, std::size_t size, std::chrono::nanoseconds at);

    int m_socket = -1;
    std::map<std::pair<int, int>, std::chrono::nanoseconds> m_last;
    Gap m_gap;
    std::jthread m_thread;
};

} // namespace tasuki::testing
