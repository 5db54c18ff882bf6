// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "transport/transport.h"

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

namespace tasuki {

/// A transport that keeps what is sent and delivers nothing: the test is the other side.
class RecordingTransport final : public Transport {
public:
    struct Sent {
        ProcessorId to;
        Message message;
    };

    RecordingTransport(ProcessorId self, std::size_t size) : m_self(self), m_size(size) {}

    [[nodiscard]] ProcessorId self() const override { return m_self; }
    [[nodiscard]] std::size_t size() const override { return m_size; }
    void setHandler(Handler) override {}
    void send(ProcessorId to, Message message) override
    {
        if (!m_forgotten.contains(to))
            m_sent.push_back({to, std::move(message)});
    }
    bool poll() override { return false; }
    [[nodiscard]] std::size_t pending(ProcessorId to) const override
    {
        return static_cast<std::size_t>(std::ranges::count(m_sent, to, &Sent::to));
    }
    [[nodiscard]] std::size_t pending() const override { return m_sent.size(); }
    void forget(ProcessorId peer) override
    {
        m_forgotten.insert(peer);
        m_everForgotten.insert(peer);
    }
    void remember(ProcessorId peer) override { m_forgotten.erase(peer); }

    /// @return what was sent since the last call, in order
    std::vector<Sent> takeSent() { return std::exchange(m_sent, {}); }
    [[nodiscard]] bool hasForgotten(ProcessorId peer) const { return m_forgotten.contains(peer); }
    /// At some time, whether or not it was remembered since.
    [[nodiscard]] bool wasForgotten(ProcessorId peer) const
    {
        return m_everForgotten.contains(peer);
    }

private:
    ProcessorId m_self;
    std::size_t m_size;
    std::vector<Sent> m_sent;
    std::set<ProcessorId> m_forgotten;
    std::set<ProcessorId> m_everForgotten;
};

} // namespace tasuki
