// SPDX-License-Identifier: GPL-3.0-or-later
#include "controlnetwork.h"

#include "neighbours.h"

#include "host/hostidentity.h"

#include <utility>

#include <boost/system/system_error.hpp>

#include <unistd.h>

namespace tasuki::control {

namespace {

struct Bound {
    BoundSocket datagrams;
    BoundSocket connections;
    boost::asio::ip::address address;
};

Result<Bound> bindBoth(const boost::asio::ip::address& address)
{
    auto datagrams = bindSocket(SocketKind::Datagram, address);
    if (!datagrams)
        return datagrams.error();
    auto connections = bindSocket(SocketKind::Listening, address);
    if (!connections)
        return connections.error();
    return Bound{.datagrams = std::move(*datagrams),
                 .connections = std::move(*connections),
                 .address = address};
}

Result<Bound> bindAs(const ControlOptions& options)
{
    using namespace boost::asio::ip;
    if (!options.bindAddress.empty()) {
        boost::system::error_code error;
        const auto given = make_address(options.bindAddress, error);
        if (error)
            return Error{.kind = ErrorKind::Input,
                         .message = "'" + options.bindAddress + "' is no numeric address",
                         .remedy = "write one as 192.0.2.1 or 2001:db8::1"};
        return bindBoth(given);
    }
    const address first = options.otherHosts ? address(address_v6::any())
                                             : address(address_v4::loopback());
    const address second = options.otherHosts ? address(address_v4::any())
                                              : address(address_v6::loopback());
    auto bound = bindBoth(first);
    return bound ? std::move(bound) : bindBoth(second);
}

std::vector<std::string> hostsOf(const boost::asio::ip::address& bound)
{
    if (!bound.is_unspecified())
        return {bound.to_string()};
    std::vector<std::string> hosts = interfaceAddresses();
    if (bound.is_v4())
        std::erase_if(hosts,
                      [](const std::string& host) { return host.find(':') != std::string::npos; });
    // For the processors of this host, which need no interface.
    hosts.emplace_back("127.0.0.1");
    return hosts;
}

Result<void> checkOptions(const ControlOptions& options)
{
    constexpr std::size_t fewestConnections = 2;
    const auto wrong = [](std::string what) {
        return Error{.kind = ErrorKind::Input, .message = std::move(what)};
    };
    if (options.mostConnections < fewestConnections)
        return wrong("a processor needs room for 2 connections at least");
    if (options.mostUnproven < 2)
        return wrong("a processor needs room for 2 connections that have not shown who they are");
    if (options.life == Life())
        return wrong("lives are counted from 1");
    return {};
}

} // namespace

struct ControlNetwork::Parts {
    std::string hostKey;
    ControlAddress address;
    std::unique_ptr<DatagramSocket> datagrams;
    std::unique_ptr<ConnectionPool> connections;
    std::unique_ptr<Neighbours> neighbours;
};

Result<std::unique_ptr<ControlNetwork>> ControlNetwork::open(boost::asio::io_context& context,
                                                             ProcessorId self, const RunKey& key,
                                                             ControlOptions options,
                                                             Callbacks callbacks)
{
    if (auto good = checkOptions(options); !good)
        return good.error();
    auto bound = bindAs(options);
    if (!bound)
        return bound.error();
    auto parts = std::make_unique<Parts>();
    parts->hostKey = options.hostKey.empty() ? hostIdentity().key : std::move(options.hostKey);
    parts->address = {.processor = self,
                      .hosts = hostsOf(bound->address),
                      .udpPort = bound->datagrams.port,
                      .tcpPort = bound->connections.port,
                      .hostKey = parts->hostKey,
                      .pid = ::getpid(),
                      .processStart = processStartTicks(::getpid())};
    const ControlIdentity identity{.self = self, .epoch = options.epoch, .life = options.life};
    const PoolOptions pool{.channel = {.opening = options.connectTimeout,
                                       .proving = options.authentication,
                                       .waiting = options.deliverWithin,
                                       .stalled = options.stallTimeout,
                                       .closing = options.closeTimeout},
                           .idleClose = options.idleClose,
                           .deliverWithin = options.deliverWithin,
                           .mostConnections = options.mostConnections,
                           .mostWaitingBytes = options.mostWaitingBytes,
                           .authentication = options.authentication,
                           .mostUnproven = options.mostUnproven};
    try {
        parts->datagrams = std::make_unique<DatagramSocket>(
            context, std::move(bound->datagrams), identity, key,
            DatagramSocket::Callbacks{.datagram = std::move(callbacks.datagram),
                                      .olderLife = std::move(callbacks.olderLife)});
        parts->connections = std::make_unique<ConnectionPool>(
            context, std::move(bound->connections), identity, key, pool,
            ConnectionPool::Callbacks{.message = std::move(callbacks.message),
                                      .problem = callbacks.problem});
    } catch (const boost::system::system_error& error) {
        return systemError("cannot serve the sockets of the control plane", error.code().value());
    }
    parts->neighbours = std::make_unique<Neighbours>(
        context, parts->hostKey,
        Neighbours::Callbacks{.gone = std::move(callbacks.gone),
                              .problem = std::move(callbacks.problem)});
    return std::unique_ptr<ControlNetwork>(new ControlNetwork(std::move(parts)));
}

ControlNetwork::ControlNetwork(std::unique_ptr<Parts> parts) : m_parts(std::move(parts)) {}

ControlNetwork::~ControlNetwork() = default;

const ControlAddress& ControlNetwork::address() const { return m_parts->address; }

void ControlNetwork::learn(const std::vector<ControlAddress>& addresses)
{
    for (const ControlAddress& each : addresses) {
        if (each.processor == m_parts->address.processor)
            continue;
        const auto reachable = reachableAt(each, m_parts->hostKey);
        m_parts->datagrams->learn(each.processor, reachable, each.udpPort);
        m_parts->connections->learn(each.processor, reachable, each.tcpPort);
        m_parts->neighbours->learn(each);
    }
}

void ControlNetwork::beginLife(Life life)
{
    m_parts->datagrams->beginLife(life);
    m_parts->connections->beginLife(life);
}

bool ControlNetwork::sendDatagram(ProcessorId to, std::string_view bytes)
{
    return m_parts->datagrams->send(to, bytes);
}

bool ControlNetwork::send(ProcessorId to, std::string bytes)
{
    return m_parts->connections->send(to, std::move(bytes));
}

void ControlNetwork::watch(ProcessorId processor) { m_parts->neighbours->watch(processor); }

bool ControlNetwork::isElsewhere(ProcessorId processor) const
{
    return m_parts->neighbours->isElsewhere(processor);
}

bool ControlNetwork::hasEnded(ProcessorId processor) const
{
    return m_parts->neighbours->hasEnded(processor);
}

Presence ControlNetwork::presence(ProcessorId processor) const
{
    return m_parts->neighbours->presence(processor);
}

Result<void> ControlNetwork::kill(ProcessorId processor)
{
    return m_parts->neighbours->kill(processor);
}

ControlNetwork::Counters ControlNetwork::counters() const
{
    return {.datagrams = m_parts->datagrams->counters(),
            .connections = m_parts->connections->counters()};
}

} // namespace tasuki::control
