// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tasuki::control {

/// The key of one launch: drawn at random, told to its processors alone.
using RunKey = std::array<std::byte, 32>;

/// @return a key from the system's random source
RunKey randomRunKey();

/// Where a processor can be reached, as it tells the others at the start.
struct ControlAddress {
    ProcessorId processor;
    std::vector<std::string> hosts; ///< numeric IPv4 and IPv6 addresses, the likeliest first
    std::uint16_t udpPort = 0;
    std::uint16_t tcpPort = 0;
    std::string hostKey;            ///< as in HostIdentity: equal keys see each other's processes
    std::int64_t pid = 0;           ///< by the numbers of that host; 0: not known
    std::uint64_t processStart = 0; ///< ticks since boot; with pid it names a process for good
    bool operator==(const ControlAddress&) const = default;
};

/// Who a processor says it is.
struct ControlIdentity {
    ProcessorId self;
    Epoch epoch;
    Life life{1};
};

/// Who sent something. Known to be true: it has shown the key of the launch.
struct ControlSender {
    ProcessorId processor;
    Life life = {};
    bool operator==(const ControlSender&) const = default;
};

} // namespace tasuki::control
