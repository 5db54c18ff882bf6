// SPDX-License-Identifier: GPL-3.0-or-later
#include "beatwatch.h"

#include <array>
#include <cstdint>
#include <cstring>

#include <arpa/inet.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace tasuki::testing {

namespace {

/// Where things stand in a datagram of the control plane: see agent/control/datagramcodec.cpp.
constexpr std::size_t fromPlace = 12;
constexpr std::size_t toPlace = 16;
constexpr std::size_t contentPlace = 32;
constexpr unsigned char beatTag = 0x0A; ///< first field of wire.control.ControlMessage
constexpr std::size_t udpHeader = 8;

int numberAt(const unsigned char* bytes) { return bytes[0] | bytes[1] << 8 | bytes[2] << 16; }

} // namespace

BeatWatch::BeatWatch() : m_socket(::socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, htons(ETH_P_IP)))
{
    sockaddr_ll address{};
    address.sll_family = AF_PACKET;
    address.sll_protocol = htons(ETH_P_IP);
    address.sll_ifindex = static_cast<int>(::if_nametoindex("lo"));
    const int on = 1;
    constexpr int room = 8 << 20; // what waits while this process is not served
    if (m_socket < 0
        || ::bind(m_socket, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0
        || ::setsockopt(m_socket, SOL_SOCKET, SO_TIMESTAMPNS, &on, sizeof on) != 0) {
        return;
    }
    ::setsockopt(m_socket, SOL_SOCKET, SO_RCVBUFFORCE, &room, sizeof room);
    m_thread = std::jthread([this](const std::stop_token& stop) { listen(stop); });
}

BeatWatch::~BeatWatch()
{
    end();
    if (m_socket >= 0) {
        ::close(m_socket);
    }
}

std::optional<BeatWatch::Gap> BeatWatch::end()
{
    if (m_thread.joinable()) {
        m_thread.request_stop();
        m_thread.join();
    }
    return m_gap.beats == 0 ? std::nullopt : std::optional(m_gap);
}

void BeatWatch::listen(const std::stop_token& stop)
{
    std::array<unsigned char, 2048> packet{};
    alignas(cmsghdr) std::array<unsigned char, 256> control{};
    while (!stop.stop_requested()) {
        pollfd readable{.fd = m_socket, .events = POLLIN, .revents = 0};
        if (::poll(&readable, 1, 100) != 1) {
            continue;
        }
        sockaddr_ll from{};
        iovec part{.iov_base = packet.data(), .iov_len = packet.size()};
        msghdr message{};
        message.msg_name = &from;
        message.msg_namelen = sizeof from;
        message.msg_iov = &part;
        message.msg_iovlen = 1;
        message.msg_control = control.data();
        message.msg_controllen = control.size();
        const auto size = ::recvmsg(m_socket, &message, 0);
        // Over loopback each packet is seen as it goes and as it comes.
        if (size <= 0 || from.sll_pkttype == PACKET_OUTGOING) {
            continue;
        }
        for (cmsghdr* each = CMSG_FIRSTHDR(&message); each != nullptr;
             each = CMSG_NXTHDR(&message, each)) {
            if (each->cmsg_level != SOL_SOCKET || each->cmsg_type != SCM_TIMESTAMPNS) {
                continue;
            }
            timespec at{};
            std::memcpy(&at, CMSG_DATA(each), sizeof at);
            take(packet.data(), static_cast<std::size_t>(size),
                 std::chrono::seconds(at.tv_sec) + std::chrono::nanoseconds(at.tv_nsec));
        }
    }
}

void BeatWatch::take(const unsigned char* packet, std::size_t size, std::chrono::nanoseconds at)
{
    const std::size_t ipHeader = (packet[0] & 0x0FU) * 4U;
    const std::size_t begin = ipHeader + udpHeader;
    constexpr unsigned char udp = 17;
    if (packet[9] != udp || size <= begin + contentPlace
        || std::memcmp(packet + begin, "TSKB", 4) != 0 || packet[begin + contentPlace] != beatTag) {
        return;
    }
    const std::pair edge{numberAt(packet + begin + fromPlace), numberAt(packet + begin + toPlace)};
    ++m_gap.beats;
    const auto [last, first] = m_last.try_emplace(edge, at);
    if (!first && at - last->second > m_gap.longest) {
        m_gap.longest = at - last->second;
        m_gap.from = edge.first;
        m_gap.to = edge.second;
    }
    last->second = at;
}

} // namespace tasuki::testing
