// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "mpilimits.h"
#include "transport/transport.h"

#include <deque>
#include <memory>

namespace tasuki {

class MpiReceiver;
class MpiRuntime;
class MpiSender;

/// Transport over the point-to-point messages of an MPI launch. At most one per runtime. Wait for
/// pending() to become 0 before destroying it: what MPI holds then may or may not arrive.
class MpiTransport final : public Transport {
public:
    /// @param runtime  outlives the transport
    explicit MpiTransport(const MpiRuntime& runtime, const MpiLimits& limits = {});
    ~MpiTransport() override;

    [[nodiscard]] ProcessorId self() const override { return m_self; }
    [[nodiscard]] std::size_t size() const override { return m_size; }
    void setHandler(Handler handler) override { m_handler = std::move(handler); }
    void send(ProcessorId to, Message message) override;
    bool poll() override;
    [[nodiscard]] std::size_t pending(ProcessorId to) const override;
    [[nodiscard]] std::size_t pending() const override;
    void forget(ProcessorId peer) override;
    void remember(ProcessorId peer) override;

private:
    bool deliverOwn();

    ProcessorId m_self;
    std::size_t m_size;
    std::size_t m_ownPerPoll;
    Handler m_handler;
    std::unique_ptr<MpiSender> m_sender;
    std::unique_ptr<MpiReceiver> m_receiver;
    std::deque<Message> m_own; ///< to oneself; MPI is not troubled with it
    bool m_selfForgotten = false;
    bool m_polling = false;
};

} // namespace tasuki
