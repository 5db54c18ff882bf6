// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"
#include "process/framequeue.h"
#include "process/guardianprotocol.h"

#include "domain/result.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace tasuki::guardian {

/// The guardian's end of what it and its agent say to each other: commands come in, reports go out in
/// bundles.
class AgentChannel {
public:
    enum class Urgency { CanWait, Now };

    /// @param socket  connected to the agent, non-blocking
    explicit AgentChannel(UniqueFd socket) : m_socket(std::move(socket)) {}

    /// Has an epoll instance watch the socket. Called once, before everything else.
    /// @param tag  of its events
    Result<void> watch(int epoll, std::uint64_t tag);
    /// Reads once what is there. @return whether the agent has said something
    bool receive();
    /// @return the next command that has arrived whole, none, or an Error of kind Protocol
    Result<std::optional<Command>> next();
    /// @param descriptors  arrive with it
    void report(const Report& report, Urgency urgency, std::vector<UniqueFd> descriptors = {});
    /// What waits is written at the next flush(), which is due.
    void hurry() { m_flushNow = true; }
    void flushIfDue();

    [[nodiscard]] bool flushIsDue() const { return m_flushNow; }
    [[nodiscard]] bool isClosed() const { return m_closed; } ///< the agent is gone

private:
    UniqueFd m_socket;
    FrameReader m_reader;
    FrameWriter m_writer;
    int m_epoll = -1;
    std::uint64_t m_tag = 0;
    bool m_flushNow = false;
    bool m_watchesWriting = false;
    bool m_closed = false;
};

} // namespace tasuki::guardian
