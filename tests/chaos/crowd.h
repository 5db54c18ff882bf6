// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <sys/types.h>
#include <vector>

namespace tasuki::testing {

/// A port of this host on which a process listens for TCP connections.
struct ListeningPort {
    std::uint16_t number = 0;
    bool v6 = false;
    std::string owner; ///< name of the process
};

/// @return the ports of some processes, each once
std::vector<ListeningPort> listeningPorts(const std::vector<pid_t>& processes);

/// Strangers: so many connections to each of some ports, which are kept for as long as the other end keeps
/// them, and opened anew when it does not. One half of them says nothing, the other half one byte. Child
/// processes do it, one a port, which end with this object and with this process.
class Crowd {
public:
    /// @param each  for each port, opened within about a second
    /// @param againPerSecond  for each port, of those that were closed
    Crowd(const std::vector<ListeningPort>& ports, int each, int againPerSecond);
    ~Crowd();
    Crowd(const Crowd&) = delete;
    Crowd& operator=(const Crowd&) = delete;

    struct Counts {
        long long opened = 0; ///< or tried to, again and again
        long long closed = 0; ///< by the other end
        long long held = 0;   ///< now, those that are not answered yet included
    };
    [[nodiscard]] Counts counts() const;

private:
    struct Shared;
    Shared* m_shared;
    std::size_t m_count;
    std::vector<pid_t> m_children;
};

} // namespace tasuki::testing
