// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "sockets.h"

#include <functional>
#include <memory>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace tasuki::control {

/// Takes the connections that come to a listening socket. Control thread only.
class Listener {
public:
    struct Callbacks {
        /// Whether one more is wanted; if not, they wait in the kernel until resume().
        std::function<bool()> wanted;
        std::function<void(Accepted)> accepted;
        /// Descriptors have run out. @return whether one was given up for the next connection
        std::function<bool()> makeRoom;
    };

    /// Begins to listen. Callbacks come from completions only.
    Listener(boost::asio::io_context& context, UniqueFd listening, Callbacks callbacks);
    ~Listener();
    Listener(const Listener&) = delete;
    Listener& operator=(const Listener&) = delete;

    /// More are wanted again. Nothing happens when they were all the time.
    void resume();

private:
    void wait();
    void acceptAll();

    boost::asio::posix::stream_descriptor m_listening;
    boost::asio::steady_timer m_pause;
    Callbacks m_callbacks;
    bool m_waiting = false;
    std::shared_ptr<int> m_alive = std::make_shared<int>(); ///< completions look whether it is
};

} // namespace tasuki::control
