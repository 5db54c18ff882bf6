// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "linkserver.h"
#include "process/uniquefd.h"

#include "domain/result.h"

#include <filesystem>
#include <functional>
#include <string>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

namespace tasuki::link {

/// Sockets that listen. All descriptors are closed when a program is started: tasks do not inherit
/// them.

/// A socket file that is removed when nobody listens any more.
class SocketFile {
public:
    SocketFile() = default;
    explicit SocketFile(std::filesystem::path path) : m_path(std::move(path)) {}
    SocketFile(SocketFile&& other) noexcept : m_path(std::exchange(other.m_path, {})) {}
    SocketFile& operator=(SocketFile&& other) noexcept
    {
        if (this != &other) {
            remove();
            m_path = std::exchange(other.m_path, {});
        }
        return *this;
    }
    ~SocketFile() { remove(); }

    void remove();

private:
    std::filesystem::path m_path;
};

/// @param path  what is left there by an agent that was killed is replaced
Result<UniqueFd> listenOnPath(const std::filesystem::path& path);

/// @return the socket; the address gets the port that was chosen
Result<UniqueFd> listenOnAddress(TcpAddress& address);

/// Takes connections of one listening socket. Reactor's thread only.
class Acceptor {
public:
    /// @param accepted  gets the connection and a name of the peer for people; not called after
    ///                  stop()
    Acceptor(boost::asio::io_context& context, UniqueFd listening, int family,
             std::function<void(UniqueFd, std::string)> accepted);

    void start();
    void stop();

private:
    void wait();
    void acceptAll();

    boost::asio::posix::stream_descriptor m_listening;
    boost::asio::steady_timer m_pause;
    int m_family;
    std::function<void(UniqueFd, std::string)> m_accepted;
};

} // namespace tasuki::link
