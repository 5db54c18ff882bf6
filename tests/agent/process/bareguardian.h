// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "process/framequeue.h"
#include "process/guardianprocess.h"
#include "process/guardianprotocol.h"

#include <poll.h>

#include <chrono>
#include <optional>
#include <utility>
#include <variant>

#include <sys/types.h>

namespace tasuki {

/// A guardian to which the test speaks by itself.
class BareGuardian {
public:
    explicit BareGuardian(guardian::Configure configure)
        : m_process(std::move(*GuardianProcess::start(GUARDIAN)))
    {
        send(std::move(configure));
        send(guardian::DefineSettings{1, {}, "", {}});
    }
    /// @return what a guardian is told of a run that keeps no output and grants no time to stop
    static guardian::Configure plain(std::chrono::milliseconds lease)
    {
        return {.run = RunId::random(),
                .epoch = Epoch(1),
                .rank = Rank(0),
                .captureHead = 0,
                .captureTail = 0,
                .killGrace = std::chrono::milliseconds(0),
                .lease = lease};
    }
    void send(guardian::Command command)
    {
        m_writer.queue(encode(command));
        m_writer.flush(m_process.socket());
    }
    [[nodiscard]] pid_t pid() const { return m_process.pid(); }
    /// @return the next report of a kind; nothing when it does not come in time
    template <class T>
    std::optional<T> await(std::chrono::milliseconds limit)
    {
        const auto end = std::chrono::steady_clock::now() + limit;
        while (std::chrono::steady_clock::now() < end) {
            while (true) {
                const auto body = m_reader.next();
                if (!body || !*body)
                    break;
                auto report = guardian::decodeReport(**body);
                if (report && std::holds_alternative<T>(*report))
                    return std::get<T>(std::move(*report));
            }
            pollfd watched{m_process.socket(), POLLIN, 0};
            ::poll(&watched, 1, 20);
            m_reader.receive(m_process.socket());
        }
        return {};
    }

private:
    GuardianProcess m_process;
    guardian::FrameReader m_reader;
    guardian::FrameWriter m_writer;
};

} // namespace tasuki
