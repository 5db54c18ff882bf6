// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "controladdress.h"
#include "files/uniquefd.h"

#include "domain/result.h"

#include <cstdint>
#include <string>
#include <vector>

#include <boost/asio/ip/address.hpp>
#include <boost/asio/ip/tcp.hpp>

namespace tasuki::control {

/// Sockets of the control plane. All are non-blocking and closed when a program is started, from
/// their making on: tasks do not inherit them. (Asio's own are inherited.)

/// A socket that is bound, and to what.
struct BoundSocket {
    UniqueFd fd;
    bool v6 = false; ///< its family; one that is bound to "::" takes IPv4 too
    std::uint16_t port = 0;
};

enum class SocketKind : std::uint8_t { Datagram, Listening };

/// Binds to a port that the system picks.
Result<BoundSocket> bindSocket(SocketKind kind, const boost::asio::ip::address& address);

/// @return a stream socket that may connect to an address. As those that are accepted it notices a
///         dead link: by probes from 5 s of silence on, and by what is not acknowledged within 10 s
Result<UniqueFd> streamSocket(const boost::asio::ip::address& to);

/// A connection that somebody has opened, and who.
struct Accepted {
    UniqueFd fd;
    boost::asio::ip::tcp::endpoint from;
};

/// Takes the next connection that waits. No descriptor: none waits, or none can be taken; errno says
/// which.
Accepted acceptFrom(int listening);
/// Has a connection notice a dead link as those of streamSocket() do.
void watchLink(int stream);

/// @return "192.0.2.1:80" or "[2001:db8::1]:80"
std::string textOf(const boost::asio::ip::tcp::endpoint& endpoint);

/// @return what the processors of other hosts may reach this one by: addresses of the interfaces
///         that are up, without loopback and link-local ones, IPv4 first
std::vector<std::string> interfaceAddresses();

/// @param hostKey  of this host
/// @return where a processor may be reached from here, in the order to try: on this host by loopback
///         first, on another one never by loopback. Addresses that are none are left out.
std::vector<boost::asio::ip::address> reachableAt(const ControlAddress& peer,
                                                  const std::string& hostKey);

} // namespace tasuki::control
