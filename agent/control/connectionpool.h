// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "arrivals.h"
#include "framechannel.h"
#include "listener.h"

#include "wire/refusallog.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/steady_timer.hpp>

namespace tasuki::control {

/// What became of connections and their messages since the start.
struct ConnectionCounters {
    std::uint64_t dialed = 0;
    std::uint64_t accepted = 0;
    std::uint64_t refused = 0; ///< ended before they were open, by either side, limits included
    std::uint64_t broken = 0;  ///< ended by an error later
    std::uint64_t idled = 0;   ///< closed here because they idled
    std::uint64_t evicted = 0; ///< closed here for a new one
    std::uint64_t sent = 0;    ///< messages, handed to the system
    std::uint64_t received = 0;
    std::uint64_t tooMany = 0;    ///< not sent: more waited than may, or it was too long
    std::uint64_t tooLate = 0;    ///< not sent: waited for too long
    std::uint64_t torn = 0;       ///< were being written when the connection broke
    std::size_t open = 0;         ///< now, with those that are being opened or closed
    std::size_t mostOpen = 0;     ///< at once
    std::size_t waiting = 0;      ///< messages, now
    std::size_t mostUnproven = 0; ///< at once, of those that had not shown who they are
};

struct PoolOptions {
    ChannelLimits channel;
    std::chrono::milliseconds idleClose{};
    std::chrono::milliseconds deliverWithin{};
    std::size_t mostConnections = 0; ///< at least 2
    std::size_t mostWaitingBytes = 0;
    std::chrono::milliseconds authentication{}; ///< from the acceptance on
    std::size_t mostUnproven = 0; ///< connections that have not shown who they are; at least 2
};

/// The connections of a processor: opened when there is something to say, closed when they idle, and
/// never more than so many. Control thread only.
///
/// A connection carries messages both ways, whoever opened it. When both open one at the same time,
/// both stay: each side goes on with the one that it had first, so that no message is on two, and
/// the order of one direction is kept; what is then not used idles out. Choosing one by number would
/// have to move messages from one to the other and could not keep their order.
///
/// Messages wait by peer, not by connection. One that is closed takes those along that it has begun
/// to write, the others go over the next one, once the peer has read the former to its end. So there
/// is one order per direction, until a connection breaks: what it was writing is dropped then, for
/// nobody knows what arrived, and nothing may arrive twice.
///
/// Who wants to be let in, or has something to say, when all places are taken waits in line while
/// connections without unsent messages are closed, the one that idled longest first. One place at
/// least is never taken by a connection that is being opened from here, so that processors that wait
/// for each other's places all go on.
///
/// Who has come and not shown who it is takes none of these places: there are others, of which the oldest
/// one goes for the newest. One half is for those that have said nothing, the other half for those that
/// have begun as only who knows the key, or repeats what it heard, can begin. So silent ones keep out
/// nobody.
class ConnectionPool final : private ChannelHost {
public:
    struct Callbacks {
        /// The message is valid during the call.
        std::function<void(ControlSender, std::string_view message)> message;
        /// Who could not be reached or was refused, and why. Seldom the same twice.
        std::function<void(Error)> problem;
    };

    ConnectionPool(boost::asio::io_context& context, BoundSocket listening,
                   ControlIdentity identity, const RunKey& key, const PoolOptions& options,
                   Callbacks callbacks);
    ~ConnectionPool();

    /// @param addresses  in the order to try
    void learn(ProcessorId peer, const std::vector<boost::asio::ip::address>& addresses,
               std::uint16_t port);
    /// Speaks as another life from now on: over new connections.
    void beginLife(Life life);
    /// @return whether it waits or is sent; it may still be dropped later
    bool send(ProcessorId to, std::string message);

    [[nodiscard]] ConnectionCounters counters() const;

private:
    using ChannelPtr = std::shared_ptr<FrameChannel>;
    struct Waiting {
        std::string message;
        SteadyTime since;
    };
    struct Peer {
        std::vector<boost::asio::ip::tcp::endpoint> endpoints = {};
        std::size_t current = 0;   ///< the one that is tried, or was right
        std::size_t failedRow = 0; ///< addresses since one was right
        unsigned failedRounds = 0;
        SteadyTime retryAt = {};
        std::deque<Waiting> waiting = {};
        std::size_t waitingBytes = 0;
        std::size_t writing = 0; ///< messages that the outlet was given
        ChannelPtr outlet = {};  ///< until it has ended: one order
        ChannelPtr dialing = {}; ///< not open yet
        bool inLine = false;     ///< there is a wish to dial it
        std::string lastProblem = {};
    };
    struct Channel {
        ChannelPtr channel;
        Life life = {};
        bool counted = false; ///< takes one of the places
        std::uint64_t unproven =
            0; ///< its number among those that have not shown who they are; 0: it has
    };
    /// Somebody waits for a place.
    struct Wish {
        ProcessorId peer;
        ChannelPtr proven = {}; ///< wants to be let in; none: is to be dialed
    };

    void proven(FrameChannel& channel) override;
    void opened(FrameChannel& channel) override;
    void received(FrameChannel& channel, std::string_view message) override;
    void written(FrameChannel& channel) override;
    void ended(FrameChannel& channel, const std::optional<Error>& error) override;

    void accept(Accepted accepted, const std::string& greeting, SteadyTime since);
    void setProven(Channel& each);
    void noteUnproven();
    void pump(ProcessorId id);
    void writeBatch(Peer& peer);
    std::string takeWaiting(Peer& peer);
    [[nodiscard]] ChannelPtr openChannel(ProcessorId id) const;
    [[nodiscard]] bool quiet(const Channel& each) const;
    [[nodiscard]] bool pointless(const Wish& wish) const;
    void serveLine();
    void evict(std::size_t count);
    void dial(ProcessorId id);
    void dialFailed(Peer& peer, const Error& error);
    void report(Peer& peer, const Error& error);
    void reportStranger(const Error& error);
    void tellRefusals();
    void take(Channel& each);
    [[nodiscard]] std::size_t inLine() const;
    void sweep();
    void armSweep();
    [[nodiscard]] std::chrono::milliseconds sweepPeriod() const;

    boost::asio::io_context& m_context;
    ControlIdentity m_identity;
    RunKey m_key;
    PoolOptions m_options;
    Callbacks m_callbacks;
    std::map<ProcessorId, Peer> m_peers;
    std::map<const FrameChannel*, Channel> m_channels;
    std::deque<Wish> m_line;
    ConnectionCounters m_counters;
    std::size_t m_taken = 0;                        ///< places
    std::size_t m_dialing = 0;                      ///< of these, not open yet
    std::map<std::uint64_t, ChannelPtr> m_unproven; ///< the oldest first
    std::uint64_t m_latestUnproven = 0;
    link::RefusalLog m_refusals;
    boost::asio::steady_timer m_refusalsDue;
    bool m_refusalsArmed = false;
    std::size_t m_waiting = 0; ///< messages of all peers
    boost::asio::steady_timer m_sweep;
    SteadyTime m_sweepAt = SteadyTime::max();
    Arrivals m_arrivals;
    Listener m_listener;
    std::shared_ptr<int> m_alive = std::make_shared<int>(); ///< completions look whether it is
};

} // namespace tasuki::control
