// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "files/uniquefd.h"
#include "linkserver.h"

#include "domain/result.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include <boost/asio/io_context.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <sys/types.h>

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

/// @return the user at the other end of a connection over a Unix socket; none: not known
std::optional<uid_t> peerOf(int unixSocket);

/// Takes connections of one listening socket. Reactor's thread only.
class Acceptor {
public:
    /// @param accepted  gets the connection and a name of the peer for people; not called after
    ///                  stop()
    /// @param makeRoom  descriptors have run out: @return whether one was given up for the next
    ///                  connection
    Acceptor(boost::asio::io_context& context, UniqueFd listening, int family,
             std::function<void(UniqueFd, std::string)> accepted, std::function<bool()> makeRoom);

    void start();
    void stop();

private:
    void wait();
    void acceptAll();

    boost::asio::posix::stream_descriptor m_listening;
    boost::asio::steady_timer m_pause;
    int m_family;
    std::function<void(UniqueFd, std::string)> m_accepted;
    std::function<bool()> m_makeRoom;
};

} // namespace tasuki::link
