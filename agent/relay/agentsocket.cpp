// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentsocket.h"

#include <algorithm>
#include <cerrno>
#include <string>

#include <netdb.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace tasuki::relay {

namespace {

Error unreachable(int error) { return systemError("cannot connect to the agent", error); }

Result<UniqueFd> connectTo(const sockaddr* address, socklen_t length)
{
    UniqueFd socket(::socket(address->sa_family, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (socket.get() < 0 || ::connect(socket.get(), address, length) != 0)
        return unreachable(errno);
    return socket;
}

Result<UniqueFd> connectUnix(const std::string& path)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (path.empty() || path.size() >= sizeof address.sun_path)
        return unreachable(ENAMETOOLONG);
    std::ranges::copy(path, address.sun_path);
    return connectTo(reinterpret_cast<const sockaddr*>(&address), sizeof address);
}

Result<UniqueFd> connectTcp(const std::string& host, std::uint16_t port)
{
    addrinfo hints{};
    hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV;
    hints.ai_socktype = SOCK_STREAM;
    addrinfo* found = nullptr;
    if (::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found) != 0)
        return unreachable(EADDRNOTAVAIL);
    auto socket = connectTo(found->ai_addr, found->ai_addrlen);
    ::freeaddrinfo(found);
    if (socket) {
        const int on = 1;
        static_cast<void>(::setsockopt(socket->get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof on));
    }
    return socket;
}

} // namespace

Result<UniqueFd> connectToAgent(const link::AccessFile& access)
{
    auto local = connectUnix(access.socket);
    if (local || access.tcpAddress.empty())
        return local;
    return connectTcp(access.tcpAddress, access.tcpPort);
}

} // namespace tasuki::relay
