// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"
#include "process/agentchannel.h"
#include "process/framequeue.h"
#include "process/guardianprotocol.h"

#include <array>
#include <optional>
#include <utility>

#include <sys/epoll.h>
#include <sys/socket.h>

namespace tasuki::guardian {

/// A channel whose other end is the test's.
struct AgentEnd {
    AgentEnd() : AgentEnd(makePair()) {}

    void send(const Command& command)
    {
        m_writer.queue(encode(command));
        m_writer.flush(own.get());
    }
    /// @return the next report that has arrived
    std::optional<Report> receive()
    {
        for (int tries = 0; tries < 2; ++tries) {
            const auto body = m_reader.next();
            if (body && *body) {
                auto report = decodeReport(**body);
                return report ? std::optional(std::move(*report)) : std::nullopt;
            }
            m_reader.receive(own.get());
        }
        return std::nullopt;
    }

    UniqueFd own;
    UniqueFd epoll;
    AgentChannel channel;

private:
    explicit AgentEnd(const std::array<int, 2>& ends)
        : own(ends[0]), epoll(::epoll_create1(EPOLL_CLOEXEC)), channel(UniqueFd(ends[1]))
    {}
    static std::array<int, 2> makePair()
    {
        std::array<int, 2> ends{-1, -1};
        ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0, ends.data());
        return ends;
    }

    FrameReader m_reader;
    FrameWriter m_writer;
};

} // namespace tasuki::guardian
