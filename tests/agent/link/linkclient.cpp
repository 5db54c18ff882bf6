// SPDX-License-Identifier: GPL-3.0-or-later
#include "linkclient.h"

#include "wire/handshake.h"
#include "wire/linkcodec.h"

#include <cerrno>
#include <cstring>

#include <arpa/inet.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>

namespace tasuki::testing {

namespace {

constexpr std::chrono::seconds patience{20};

} // namespace

LinkClient::LinkClient(const link::AccessFile& access, Over over, int receiveBuffer)
    : m_access(access)
{
    m_socket.reset(::socket(over == Over::Unix ? AF_UNIX : AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    if (receiveBuffer != 0)
        ::setsockopt(m_socket.get(), SOL_SOCKET, SO_RCVBUF, &receiveBuffer, sizeof(receiveBuffer));
    int failed = 0;
    if (over == Over::Unix) {
        sockaddr_un address{};
        address.sun_family = AF_UNIX;
        std::strncpy(address.sun_path, access.socket.c_str(), sizeof(address.sun_path) - 1);
        failed = ::connect(m_socket.get(), reinterpret_cast<const sockaddr*>(&address),
                           sizeof(address));
    } else {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(access.tcpPort);
        ::inet_pton(AF_INET, access.tcpAddress.c_str(), &address.sin_addr);
        failed = ::connect(m_socket.get(), reinterpret_cast<const sockaddr*>(&address),
                           sizeof(address));
    }
    if (failed != 0)
        m_socket.reset();
}

bool LinkClient::sendBytes(std::string_view bytes)
{
    while (!bytes.empty()) {
        const ssize_t sent = ::send(m_socket.get(), bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0)
            return false;
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return true;
}

bool LinkClient::send(const link::ClientMessage& message)
{
    return sendBytes(link::frame(link::encode(message)).value());
}

std::optional<link::AgentMessage> LinkClient::receive()
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    for (;;) {
        const auto payload = m_decoder.next();
        if (!payload)
            return std::nullopt;
        if (*payload) {
            auto message = link::decodeAgentMessage(**payload);
            if (!message)
                return std::nullopt;
            collector.take(*message);
            return std::move(*message);
        }
        const auto left = std::chrono::duration_cast<std::chrono::milliseconds>(
            deadline - std::chrono::steady_clock::now());
        pollfd ready{.fd = m_socket.get(), .events = POLLIN, .revents = 0};
        if (left.count() <= 0 || ::poll(&ready, 1, static_cast<int>(left.count())) <= 0) {
            m_timedOut = true;
            return std::nullopt;
        }
        std::string piece(64 * 1024, '\0');
        const ssize_t got = ::recv(m_socket.get(), piece.data(), piece.size(), 0);
        if (got <= 0)
            return std::nullopt;
        m_decoder.feed(std::string_view(piece).substr(0, static_cast<std::size_t>(got)));
    }
}

std::string LinkClient::join(const std::string& run)
{
    if (!connected())
        return "not connected";
    link::ClientHandshake handshake({.token = m_access.token,
                                     .nonce = link::randomSecret(),
                                     .run = run,
                                     .programVersion = "test",
                                     .operatorName = "tester@here",
                                     .protocol = {}});
    send(handshake.start());
    while (const auto message = receive()) {
        const auto step = handshake.receive(*message);
        if (step.send)
            send(*step.send);
        if (step.error)
            return step.error->text();
        if (step.next == link::ClientHandshake::Step::Next::Done) {
            m_welcome = handshake.welcome();
            return {};
        }
    }
    return m_timedOut ? "no answer" : "connection ended";
}

bool LinkClient::receiveUntil(const std::function<bool()>& condition)
{
    while (!condition())
        if (!receive())
            return condition();
    return true;
}

bool LinkClient::receiveUpTo(EventId id)
{
    return receiveUntil([&] { return collector.live() && collector.last() >= id; });
}

bool LinkClient::isDropped()
{
    while (receive()) {}
    return !m_timedOut;
}

} // namespace tasuki::testing
