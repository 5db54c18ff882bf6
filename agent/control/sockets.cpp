// SPDX-License-Identifier: GPL-3.0-or-later
#include "sockets.h"

#include <algorithm>
#include <cerrno>
#include <iterator>
#include <memory>
#include <optional>

#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>

namespace tasuki::control {

namespace {

constexpr int listenBacklog = 1024;
/// A thread that could not run for a while still finds the beats of that time.
constexpr int datagramBufferBytes = 1024 * 1024;
/// What a peer that reads nothing costs in the kernel.
constexpr int streamBufferBytes = 256 * 1024;

void setOption(int fd, int level, int option, int value)
{
    // What the system does not grant is done without.
    static_cast<void>(::setsockopt(fd, level, option, &value, sizeof(value)));
}

bool isV6(const boost::asio::ip::address& address) { return address.is_v6(); }

std::optional<boost::asio::ip::address> addressOf(const sockaddr* socketAddress)
{
    if (socketAddress == nullptr)
        return std::nullopt;
    if (socketAddress->sa_family == AF_INET) {
        const auto* in = reinterpret_cast<const sockaddr_in*>(socketAddress);
        return boost::asio::ip::address_v4(ntohl(in->sin_addr.s_addr));
    }
    if (socketAddress->sa_family == AF_INET6) {
        const auto* in = reinterpret_cast<const sockaddr_in6*>(socketAddress);
        boost::asio::ip::address_v6::bytes_type bytes{};
        std::copy(std::begin(in->sin6_addr.s6_addr), std::end(in->sin6_addr.s6_addr),
                  bytes.begin());
        return boost::asio::ip::address_v6(bytes);
    }
    return std::nullopt;
}

bool reachableFromElsewhere(const boost::asio::ip::address& address)
{
    return !address.is_loopback() && !address.is_unspecified() && !address.is_multicast()
        && !(address.is_v6() && address.to_v6().is_link_local());
}

} // namespace

void watchLink(int stream)
{
    constexpr int silentSeconds = 5;
    constexpr int betweenProbesSeconds = 2;
    constexpr int probes = 3;
    constexpr int unacknowledgedMilliseconds = 10'000;
    setOption(stream, SOL_SOCKET, SO_SNDBUF, streamBufferBytes);
    setOption(stream, SOL_SOCKET, SO_KEEPALIVE, 1);
    setOption(stream, IPPROTO_TCP, TCP_NODELAY, 1);
    setOption(stream, IPPROTO_TCP, TCP_KEEPIDLE, silentSeconds);
    setOption(stream, IPPROTO_TCP, TCP_KEEPINTVL, betweenProbesSeconds);
    setOption(stream, IPPROTO_TCP, TCP_KEEPCNT, probes);
    setOption(stream, IPPROTO_TCP, TCP_USER_TIMEOUT, unacknowledgedMilliseconds);
}

Result<BoundSocket> bindSocket(SocketKind kind, const boost::asio::ip::address& address)
{
    const bool stream = kind == SocketKind::Listening;
    const std::string where = std::string(stream ? "TCP" : "UDP") + " on " + address.to_string();
    BoundSocket bound;
    bound.v6 = isV6(address);
    bound.fd.reset(::socket(bound.v6 ? AF_INET6 : AF_INET,
                            (stream ? SOCK_STREAM : SOCK_DGRAM) | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!bound.fd)
        return systemError("cannot make a socket for " + where, errno);
    if (bound.v6)
        setOption(bound.fd.get(), IPPROTO_IPV6, IPV6_V6ONLY, address.is_unspecified() ? 0 : 1);
    if (!stream)
        setOption(bound.fd.get(), SOL_SOCKET, SO_RCVBUF, datagramBufferBytes);
    boost::asio::ip::tcp::endpoint endpoint(address, 0);
    if (::bind(bound.fd.get(), endpoint.data(), static_cast<socklen_t>(endpoint.size())) != 0
        || (stream && ::listen(bound.fd.get(), listenBacklog) != 0))
        return systemError("cannot bind to " + where, errno);
    auto length = static_cast<socklen_t>(endpoint.capacity());
    if (::getsockname(bound.fd.get(), endpoint.data(), &length) != 0)
        return systemError("cannot ask for the port of " + where, errno);
    bound.port = endpoint.port();
    return bound;
}

Result<UniqueFd> streamSocket(const boost::asio::ip::address& to)
{
    UniqueFd fd(
        ::socket(isV6(to) ? AF_INET6 : AF_INET, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd)
        return systemError("cannot make a socket", errno);
    watchLink(fd.get());
    return fd;
}

Accepted acceptFrom(int listening)
{
    for (;;) {
        Accepted accepted;
        auto length = static_cast<socklen_t>(accepted.from.capacity());
        accepted.fd.reset(
            ::accept4(listening, accepted.from.data(), &length, SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!accepted.fd && (errno == EINTR || errno == ECONNABORTED))
            continue;
        return accepted;
    }
}

std::string textOf(const boost::asio::ip::tcp::endpoint& endpoint)
{
    const std::string address = endpoint.address().to_string();
    return (endpoint.address().is_v6() ? '[' + address + ']' : address) + ':'
        + std::to_string(endpoint.port());
}

std::vector<std::string> interfaceAddresses()
{
    ifaddrs* list = nullptr;
    if (::getifaddrs(&list) != 0)
        return {};
    const std::unique_ptr<ifaddrs, void (*)(ifaddrs*)> owner(list, ::freeifaddrs);
    std::vector<std::string> four;
    std::vector<std::string> six;
    for (const ifaddrs* each = list; each != nullptr; each = each->ifa_next) {
        const auto address = addressOf(each->ifa_addr);
        if (address && (each->ifa_flags & IFF_UP) != 0U && reachableFromElsewhere(*address))
            (address->is_v6() ? six : four).push_back(address->to_string());
    }
    four.insert(four.end(), std::make_move_iterator(six.begin()),
                std::make_move_iterator(six.end()));
    return four;
}

std::vector<boost::asio::ip::address> reachableAt(const ControlAddress& peer,
                                                  const std::string& hostKey)
{
    std::vector<boost::asio::ip::address> loopback;
    std::vector<boost::asio::ip::address> others;
    for (const std::string& host : peer.hosts) {
        boost::system::error_code error;
        const auto address = boost::asio::ip::make_address(host, error);
        if (!error && !address.is_unspecified())
            (address.is_loopback() ? loopback : others).push_back(address);
    }
    if (peer.hostKey == hostKey)
        others.insert(others.begin(), loopback.begin(), loopback.end());
    return others;
}

} // namespace tasuki::control
