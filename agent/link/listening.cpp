// SPDX-License-Identifier: GPL-3.0-or-later
#include "listening.h"

#include <array>
#include <cerrno>
#include <charconv>
#include <chrono>
#include <cstring>
#include <optional>
#include <system_error>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace tasuki::link {

namespace {

constexpr int backlog = 1024;
/// So that the windows that are in get their turn.
constexpr int acceptedPerTurn = 32;
constexpr int sendBufferBytes = 256 * 1024;
constexpr std::chrono::milliseconds pauseWithoutDescriptors{200};

/// A socket address of any family.
struct Address {
    sockaddr_storage storage{};
    socklen_t length = 0;

    sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
    [[nodiscard]] const sockaddr* get() const
    {
        return reinterpret_cast<const sockaddr*>(&storage);
    }
    template <class T>
    T& as()
    {
        length = sizeof(T);
        return reinterpret_cast<T&>(storage);
    }
};

std::optional<Address> numeric(const std::string& text, std::uint16_t port)
{
    Address address;
    if (in_addr four{}; ::inet_pton(AF_INET, text.c_str(), &four) == 1) {
        auto& in = address.as<sockaddr_in>();
        in.sin_family = AF_INET;
        in.sin_addr = four;
        in.sin_port = htons(port);
        return address;
    }
    if (in6_addr six{}; ::inet_pton(AF_INET6, text.c_str(), &six) == 1) {
        auto& in = address.as<sockaddr_in6>();
        in.sin6_family = AF_INET6;
        in.sin6_addr = six;
        in.sin6_port = htons(port);
        return address;
    }
    return std::nullopt;
}

bool isLoopback(Address& address)
{
    constexpr std::uint32_t loopbackNet = 127;
    if (address.storage.ss_family == AF_INET)
        return ntohl(address.as<sockaddr_in>().sin_addr.s_addr) >> 24U == loopbackNet;
    return IN6_IS_ADDR_LOOPBACK(&address.as<sockaddr_in6>().sin6_addr);
}

std::uint16_t portOf(Address& address)
{
    return ntohs(address.storage.ss_family == AF_INET ? address.as<sockaddr_in>().sin_port
                                                      : address.as<sockaddr_in6>().sin6_port);
}

std::string nameOf(Address& address)
{
    std::array<char, INET6_ADDRSTRLEN> text{};
    const bool four = address.storage.ss_family == AF_INET;
    const void* bytes = four ? static_cast<const void*>(&address.as<sockaddr_in>().sin_addr)
                             : static_cast<const void*>(&address.as<sockaddr_in6>().sin6_addr);
    ::inet_ntop(four ? AF_INET : AF_INET6, bytes, text.data(), text.size());
    const std::string port = ':' + std::to_string(portOf(address));
    return four ? text.data() + port : '[' + std::string(text.data()) + ']' + port;
}

Error badListen(std::string_view value, std::string problem, std::string remedy)
{
    return Error{.kind = ErrorKind::Input,
                 .message = "--listen " + std::string(value) + ": " + std::move(problem),
                 .remedy = std::move(remedy)};
}

/// Splits "ADDRESS:PORT" or "[ADDRESS6]:PORT". An address with several colons has no port.
std::pair<std::string, std::optional<std::string>> split(std::string_view value)
{
    if (value.starts_with('[')) {
        const auto end = value.find(']');
        if (end == std::string_view::npos)
            return {std::string(value), std::nullopt};
        const auto rest = value.substr(end + 1);
        if (rest.starts_with(':'))
            return {std::string(value.substr(1, end - 1)), std::string(rest.substr(1))};
        return {std::string(rest.empty() ? value.substr(1, end - 1) : value), std::nullopt};
    }
    const auto colon = value.find(':');
    if (colon == std::string_view::npos || value.find(':', colon + 1) != std::string_view::npos)
        return {std::string(value), std::nullopt};
    return {std::string(value.substr(0, colon)), std::string(value.substr(colon + 1))};
}

Result<UniqueFd> listening(const Address& address, const std::string& where)
{
    UniqueFd fd(::socket(address.storage.ss_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
    if (!fd)
        return systemError("cannot make a socket", errno);
    if (::bind(fd.get(), address.get(), address.length) != 0)
        return systemError("cannot listen on " + where, errno);
    if (::listen(fd.get(), backlog) != 0)
        return systemError("cannot listen on " + where, errno);
    return fd;
}

} // namespace

Result<std::optional<TcpAddress>> parseListen(std::string_view value)
{
    if (value == "none")
        return std::optional<TcpAddress>();
    const auto [address, port] = split(value);
    TcpAddress parsed{.address = address, .port = 0};
    if (port) {
        const auto [end, error] = std::from_chars(port->data(), port->data() + port->size(),
                                                  parsed.port);
        if (error != std::errc() || end != port->data() + port->size())
            return badListen(value, "'" + *port + "' is no port",
                             "name a number from 0 to 65535, 0 for any that is free");
    }
    auto found = numeric(address, parsed.port);
    if (!found)
        return badListen(value, "'" + address + "' is no numeric address",
                         "use 127.0.0.1, ADDRESS:PORT, [::1]:PORT or none");
    if (!isLoopback(*found))
        return badListen(value, "other hosts reach this address, which would need TLS",
                         "use 127.0.0.1 and reach it from elsewhere through an SSH tunnel");
    return std::optional(std::move(parsed));
}

void SocketFile::remove()
{
    if (m_path.empty())
        return;
    std::error_code ignored;
    std::filesystem::remove(m_path, ignored);
    m_path.clear();
}

Result<UniqueFd> listenOnPath(const std::filesystem::path& path)
{
    Address address;
    auto& in = address.as<sockaddr_un>();
    if (path.native().size() >= sizeof(in.sun_path))
        return Error{.kind = ErrorKind::System,
                     .message = "the path of the socket is longer than "
                         + std::to_string(sizeof(in.sun_path) - 1) + " bytes: " + path.native(),
                     .remedy = "set TASUKI_SOCKET_DIR to a directory with a shorter name"};
    in.sun_family = AF_UNIX;
    std::memcpy(in.sun_path, path.c_str(), path.native().size() + 1);
    std::error_code ignored;
    std::filesystem::remove(path, ignored);
    return listening(address, path.native());
}

Result<UniqueFd> listenOnAddress(TcpAddress& address)
{
    auto wanted = numeric(address.address, address.port);
    if (!wanted || !isLoopback(*wanted))
        return badListen(address.address, "is no address of this host alone", "use 127.0.0.1");
    auto fd = listening(*wanted, nameOf(*wanted));
    if (!fd)
        return fd;
    Address bound;
    bound.length = sizeof(bound.storage);
    if (::getsockname(fd->get(), bound.get(), &bound.length) != 0)
        return systemError("cannot ask for the port", errno);
    address.port = portOf(bound);
    return fd;
}

std::optional<uid_t> peerOf(int unixSocket)
{
    ucred peer{};
    socklen_t length = sizeof(peer);
    if (::getsockopt(unixSocket, SOL_SOCKET, SO_PEERCRED, &peer, &length) != 0)
        return std::nullopt;
    return peer.uid;
}

Acceptor::Acceptor(boost::asio::io_context& context, UniqueFd listening, int family,
                   std::function<void(UniqueFd, std::string)> accepted,
                   std::function<bool()> makeRoom)
    : m_listening(context, listening.get()),
      m_pause(context),
      m_family(family),
      m_accepted(std::move(accepted)),
      m_makeRoom(std::move(makeRoom))
{
    static_cast<void>(listening.release());
}

void Acceptor::start() { wait(); }

void Acceptor::stop()
{
    boost::system::error_code ignored;
    m_listening.close(ignored);
    m_pause.cancel();
}

void Acceptor::wait()
{
    m_listening.async_wait(boost::asio::posix::stream_descriptor::wait_read,
                           [this](const boost::system::error_code& error) {
                               if (!error && m_listening.is_open())
                                   acceptAll();
                           });
}

void Acceptor::acceptAll()
{
    for (int taken = 0;; ++taken) {
        if (taken == acceptedPerTurn)
            return wait();
        Address peer;
        peer.length = sizeof(peer.storage);
        UniqueFd fd(::accept4(m_listening.native_handle(), peer.get(), &peer.length,
                              SOCK_CLOEXEC | SOCK_NONBLOCK));
        if (!fd && (errno == EINTR || errno == ECONNABORTED))
            continue;
        if (!fd && (errno == EAGAIN || m_makeRoom()))
            return wait();
        if (!fd) {
            // Out of descriptors or memory: asking again at once would take the whole processor.
            m_pause.expires_after(pauseWithoutDescriptors);
            m_pause.async_wait([this](const boost::system::error_code& error) {
                if (!error && m_listening.is_open())
                    wait();
            });
            return;
        }
        const int on = 1;
        if (m_family != AF_UNIX)
            ::setsockopt(fd.get(), IPPROTO_TCP, TCP_NODELAY, &on, sizeof(on));
        // What a window that reads nothing costs in the kernel.
        ::setsockopt(fd.get(), SOL_SOCKET, SO_SNDBUF, &sendBufferBytes, sizeof(sendBufferBytes));
        m_accepted(std::move(fd), m_family == AF_UNIX ? "unix socket" : nameOf(peer));
    }
}

} // namespace tasuki::link
