// SPDX-License-Identifier: GPL-3.0-or-later
#include "datagramsocket.h"

#include <algorithm>
#include <array>
#include <utility>

#include <boost/asio/buffer.hpp>

namespace tasuki::control {

namespace {

/// Taken in one turn, so that timers and connections get theirs.
constexpr int datagramsPerTurn = 64;
/// Sent without an answer before another address is tried.
constexpr unsigned unheardPerAddress = 2;

} // namespace

DatagramSocket::DatagramSocket(boost::asio::io_context& context, BoundSocket socket,
                               ControlIdentity identity, const RunKey& key, Callbacks callbacks)
    : m_socket(context),
      m_v6(socket.v6),
      m_identity(identity),
      m_codec(key),
      m_callbacks(std::move(callbacks))
{
    boost::system::error_code error;
    m_socket.assign(m_v6 ? boost::asio::ip::udp::v6() : boost::asio::ip::udp::v4(), socket.fd.get(),
                    error);
    if (error)
        return;
    static_cast<void>(socket.fd.release());
    m_socket.non_blocking(true, error);
    wait();
}

DatagramSocket::~DatagramSocket() = default;

void DatagramSocket::learn(ProcessorId peer, const std::vector<boost::asio::ip::address>& addresses,
                           std::uint16_t port)
{
    std::vector<Endpoint> endpoints;
    for (const auto& address : addresses) {
        if (address.is_v6() == m_v6)
            endpoints.emplace_back(address, port);
        else if (m_v6)
            endpoints.emplace_back(
                boost::asio::ip::make_address_v6(boost::asio::ip::v4_mapped, address.to_v4()),
                port);
    }
    Peer& known = m_peers[peer];
    if (known.endpoints == endpoints)
        return;
    known.endpoints = std::move(endpoints);
    known.current = 0;
}

void DatagramSocket::beginLife(Life life)
{
    m_identity.life = life;
    for (auto& [processor, peer] : m_peers)
        peer.lastNumber = 0;
}

bool DatagramSocket::send(ProcessorId to, std::string_view content)
{
    const auto found = m_peers.find(to);
    if (found == m_peers.end() || found->second.endpoints.empty()
        || content.size() > datagramContentBytes) {
        ++m_counters.notSent;
        return false;
    }
    Peer& peer = found->second;
    if (peer.sentUnheard++ >= unheardPerAddress) {
        peer.current = (peer.current + 1) % peer.endpoints.size();
        peer.sentUnheard = 1;
    }
    const std::string sealed = m_codec.seal({.epoch = m_identity.epoch,
                                             .from = m_identity.self,
                                             .to = to,
                                             .life = m_identity.life,
                                             .number = ++peer.lastNumber},
                                            content);
    boost::system::error_code error;
    m_socket.send_to(boost::asio::buffer(sealed), peer.endpoints[peer.current], 0, error);
    ++(error ? m_counters.notSent : m_counters.sent);
    return !error;
}

void DatagramSocket::wait()
{
    m_socket.async_wait(boost::asio::ip::udp::socket::wait_read,
                        [this, alive = std::weak_ptr(m_alive)](const auto& error) {
                            if (!error && !alive.expired())
                                receiveAll();
                        });
}

void DatagramSocket::receiveAll()
{
    // One byte more than is taken, to see what is too long.
    std::array<char, datagramBytes + 1> buffer{};
    for (int taken = 0; taken < datagramsPerTurn; ++taken) {
        Endpoint source;
        boost::system::error_code error;
        const std::size_t length = m_socket.receive_from(boost::asio::buffer(buffer), source, 0,
                                                         error);
        if (error == boost::asio::error::would_block)
            break;
        if (!error)
            take(std::string_view(buffer.data(), length), source);
    }
    wait();
}

void DatagramSocket::take(std::string_view datagram, const Endpoint& source)
{
    const auto opened = m_codec.open(datagram);
    if (std::uint64_t* refusal = refusalOf(opened)) {
        ++*refusal;
        if (refusal == &m_counters.olderLife && m_callbacks.olderLife)
            m_callbacks.olderLife({opened.header.from, opened.header.life});
        return;
    }
    Peer& peer = m_peers.find(opened.header.from)->second;
    // Only an address that the processor has told: the source itself is under no tag.
    const auto told = std::find(peer.endpoints.begin(), peer.endpoints.end(), source);
    if (told != peer.endpoints.end())
        peer.current = static_cast<std::size_t>(told - peer.endpoints.begin());
    peer.sentUnheard = 0;
    ++m_counters.received;
    if (m_callbacks.datagram)
        m_callbacks.datagram({opened.header.from, opened.header.life}, opened.content);
}

/// @return the counter of the reason not to take it; null: it is to be taken
std::uint64_t* DatagramSocket::refusalOf(const DatagramCodec::Opened& opened)
{
    switch (opened.flaw) {
    case DatagramFlaw::None: break;
    case DatagramFlaw::Malformed: return &m_counters.malformed;
    case DatagramFlaw::OtherVersion: return &m_counters.otherVersion;
    case DatagramFlaw::WrongTag: return &m_counters.wrongTag;
    }
    if (opened.header.epoch != m_identity.epoch)
        return &m_counters.otherEpoch;
    if (opened.header.to != m_identity.self)
        return &m_counters.misdirected;
    const auto found = m_peers.find(opened.header.from);
    if (found == m_peers.end())
        return &m_counters.unknownSender;
    return refusalOfNumber(found->second, opened.header);
}

std::uint64_t* DatagramSocket::refusalOfNumber(Peer& peer, const DatagramHeader& header)
{
    if (header.life < peer.life)
        return &m_counters.olderLife;
    if (header.life > peer.life) {
        peer.life = header.life;
        peer.heard = {};
    }
    switch (peer.heard.take(header.number)) {
    case ReplayWindow::Verdict::Fresh: return nullptr;
    case ReplayWindow::Verdict::Replayed: return &m_counters.replayed;
    case ReplayWindow::Verdict::TooOld: break;
    }
    return &m_counters.tooOld;
}

} // namespace tasuki::control
