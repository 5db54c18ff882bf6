// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "datagramcodec.h"
#include "replaywindow.h"
#include "sockets.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/udp.hpp>

namespace tasuki::control {

/// What became of datagrams since the start. Each that arrived is counted once: as received, or by
/// the first reason for which it was dropped.
struct DatagramCounters {
    std::uint64_t sent = 0;
    std::uint64_t notSent = 0; ///< too long, to nobody known, or the system would not take it
    std::uint64_t received = 0;
    std::uint64_t malformed = 0; ///< truncated, too long, or of another program
    std::uint64_t otherVersion = 0;
    std::uint64_t wrongTag = 0; ///< forged, damaged, or of another launch
    std::uint64_t otherEpoch = 0;
    std::uint64_t misdirected = 0; ///< for another processor
    std::uint64_t unknownSender = 0;
    std::uint64_t olderLife = 0; ///< of a life of its sender that is over
    std::uint64_t replayed = 0;  ///< seen before
    std::uint64_t tooOld = 0;    ///< left of the ReplayWindow

    [[nodiscard]] std::uint64_t dropped() const
    {
        return malformed + otherVersion + wrongTag + otherEpoch + misdirected + unknownSender
            + olderLife + replayed + tooOld;
    }
    bool operator==(const DatagramCounters&) const = default;
};

/// The datagrams of a processor. Control thread only.
///
/// A processor is sent to where its latest genuine datagram came from, when that is one of its
/// addresses; while nothing is heard of it, its addresses take turns.
class DatagramSocket {
public:
    struct Callbacks {
        /// The content is valid during the call.
        std::function<void(ControlSender, std::string_view content)> datagram;
        /// Somebody speaks whose newer life is known. It may be a replay.
        std::function<void(ControlSender)> olderLife;
    };

    /// @param socket  bound
    DatagramSocket(boost::asio::io_context& context, BoundSocket socket, ControlIdentity identity,
                   const RunKey& key, Callbacks callbacks);
    ~DatagramSocket();
    DatagramSocket(const DatagramSocket&) = delete;
    DatagramSocket& operator=(const DatagramSocket&) = delete;

    /// Takes datagrams of a processor from now on, and knows where to send to it.
    /// @param addresses  in the order to try
    void learn(ProcessorId peer, const std::vector<boost::asio::ip::address>& addresses,
               std::uint16_t port);
    /// Speaks as another, greater life from now on. Numbers begin anew.
    void beginLife(Life life);

    /// @return whether the system has taken it
    bool send(ProcessorId to, std::string_view content);

    [[nodiscard]] const DatagramCounters& counters() const { return m_counters; }

private:
    using Endpoint = boost::asio::ip::udp::endpoint;
    struct Peer {
        std::vector<Endpoint> endpoints = {};
        std::size_t current = 0;
        unsigned sentUnheard = 0;
        std::uint64_t lastNumber = 0; ///< of what was sent to it
        Life life = {};               ///< the greatest one that was heard
        ReplayWindow heard = {};      ///< of that life
    };

    void wait();
    void receiveAll();
    void take(std::string_view datagram, const Endpoint& source);
    [[nodiscard]] std::uint64_t* refusalOf(const DatagramCodec::Opened& opened);
    std::uint64_t* refusalOfNumber(Peer& peer, const DatagramHeader& header);

    boost::asio::ip::udp::socket m_socket;
    bool m_v6;
    ControlIdentity m_identity;
    DatagramCodec m_codec;
    Callbacks m_callbacks;
    std::map<ProcessorId, Peer> m_peers;
    DatagramCounters m_counters;
    std::shared_ptr<int> m_alive = std::make_shared<int>(); ///< completions look whether it is
};

} // namespace tasuki::control
