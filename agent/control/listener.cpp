// SPDX-License-Identifier: GPL-3.0-or-later
#include "listener.h"

#include <cerrno>
#include <chrono>
#include <utility>

namespace tasuki::control {

namespace {

/// Out of descriptors or memory: asking again at once would take the whole processor.
constexpr std::chrono::milliseconds pauseWithoutMeans{200};
/// So that timers, datagrams and other connections get their turn.
constexpr int acceptedPerTurn = 64;

} // namespace

Listener::Listener(boost::asio::io_context& context, UniqueFd listening, Callbacks callbacks)
    : m_listening(context), m_pause(context), m_callbacks(std::move(callbacks))
{
    boost::system::error_code error;
    m_listening.assign(listening.get(), error);
    if (error)
        return;
    static_cast<void>(listening.release());
    wait();
}

Listener::~Listener() = default;

void Listener::resume()
{
    if (!m_waiting)
        wait();
}

void Listener::wait()
{
    m_waiting = true;
    m_listening.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                           [this, alive = std::weak_ptr(m_alive)](const auto& error) {
                               if (!error && !alive.expired())
                                   acceptAll();
                           });
}

void Listener::acceptAll()
{
    m_waiting = false;
    for (int taken = 0; m_callbacks.wanted(); ++taken) {
        if (taken == acceptedPerTurn)
            return wait();
        Accepted accepted = acceptFrom(m_listening.native_handle());
        if (accepted.fd) {
            m_callbacks.accepted(std::move(accepted));
            continue;
        }
        if (errno == EAGAIN || m_callbacks.makeRoom())
            return wait();
        m_waiting = true;
        m_pause.expires_after(pauseWithoutMeans);
        m_pause.async_wait([this, alive = std::weak_ptr(m_alive)](const auto& error) {
            if (!error && !alive.expired())
                wait();
        });
        return;
    }
}

} // namespace tasuki::control
