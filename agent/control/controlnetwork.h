// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "connectionpool.h"
#include "controladdress.h"
#include "datagramsocket.h"
#include "processhandle.h"

#include "domain/result.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <boost/asio/io_context.hpp>

namespace tasuki::control {

struct ControlOptions {
    Epoch epoch;
    Life life{1};
    /// Some processor runs on another host: all interfaces are bound to, else loopback alone.
    bool otherHosts = false;
    /// Numeric; "::" is all interfaces with IPv6 and IPv4. Empty: by otherHosts, IPv6 or IPv4 as the
    /// host has it.
    std::string bindAddress = {};
    /// As of HostIdentity. Empty: this host's.
    std::string hostKey = {};

    std::chrono::milliseconds idleClose{30'000};     ///< of a connection
    std::size_t mostConnections = 64;                ///< open at once; at least 2
    std::chrono::milliseconds connectTimeout{3'000}; ///< for one address, proofs included
    std::chrono::milliseconds authentication{2'000}; ///< who connects has shown who it is by then
    std::size_t mostUnproven = 256; ///< connections that have not; the oldest goes for the newest
    std::chrono::milliseconds deliverWithin{5'000};  ///< a message may wait so long to be written
    std::chrono::milliseconds stallTimeout{10'000};  ///< a peer may take nothing for so long
    std::chrono::milliseconds closeTimeout{5'000};   ///< for the other end of what is closed
    std::size_t mostWaitingBytes = 32 * 1024 * 1024; ///< messages for one peer
};

/// Carries opaque bytes between the processors of a launch, off MPI, and knows how the processes of
/// this host are. Says nothing of what the bytes mean.
///
/// Whatever arrives comes from who it is said to come from: from a process that knows the key of the
/// launch. It is not secret.
///
/// All calls and callbacks on the control thread, construction and destruction included. Callbacks
/// come from completions, never from inside a call; they may call, but not destroy, the network.
class ControlNetwork {
public:
    struct Callbacks {
        /// Datagrams arrive at most once, perhaps late or not at all; never from a life older than
        /// the newest one that was heard. The bytes of both are valid during the call.
        std::function<void(ControlSender, std::string_view bytes)> datagram = {};
        /// Messages of one sender arrive in order, each at most once.
        std::function<void(ControlSender, std::string_view bytes)> message = {};
        /// A watched process has ended.
        std::function<void(ProcessorId)> gone = {};
        /// A datagram of a life that is over was dropped. It is genuine, but may be a replay: answer
        /// that life, change nothing.
        std::function<void(ControlSender)> olderLife = {};
        /// One line for the log: who was refused or cannot be reached or watched, and why.
        std::function<void(Error)> problem = {};
    };

    /// Binds; takes part from then on, though nobody is known yet.
    /// @param context  outlives the network
    /// @return an Error when an option is wrong or there are no sockets
    static Result<std::unique_ptr<ControlNetwork>> open(boost::asio::io_context& context,
                                                        ProcessorId self, const RunKey& key,
                                                        ControlOptions options,
                                                        Callbacks callbacks);
    ~ControlNetwork();
    ControlNetwork(const ControlNetwork&) = delete;
    ControlNetwork& operator=(const ControlNetwork&) = delete;

    /// What the others have to learn, with the ports that the system has picked.
    [[nodiscard]] const ControlAddress& address() const;
    /// Everybody's addresses; one's own is left out. Adds to and replaces what is known. From now on
    /// the processes of this host are held, so that their numbers cannot mean others.
    void learn(const std::vector<ControlAddress>& addresses);
    /// Speaks as a newer life from now on.
    void beginLife(Life life);

    /// Largest datagram, in bytes.
    static constexpr std::size_t mostDatagramBytes = datagramContentBytes;
    /// Largest message, in bytes.
    static constexpr std::size_t mostMessageBytes = messageBytes;

    /// Never waits. @return whether the system has taken it
    bool sendDatagram(ProcessorId to, std::string_view bytes);
    /// Over a connection, which is opened when there is none. Dropped when it cannot be written
    /// within a limit, when later ones fill the room that there is, and when the connection breaks
    /// meanwhile: the sender says again what it must.
    /// @return whether it waits or is written
    bool send(ProcessorId to, std::string bytes);

    /// Tells once when a process ends, if it is of this host; soon, when it has already.
    void watch(ProcessorId processor);
    /// How its process is. Reads /proc.
    [[nodiscard]] Presence presence(ProcessorId processor) const;
    /// Whether presence() is Elsewhere, mostly without a look at the process.
    [[nodiscard]] bool isElsewhere(ProcessorId processor) const;
    /// Whether presence() is Zombie or Gone, with less work.
    [[nodiscard]] bool hasEnded(ProcessorId processor) const;
    /// Kills its process, if it is of this host, and watches it: `gone` confirms.
    Result<void> kill(ProcessorId processor);

    struct Counters {
        DatagramCounters datagrams;
        ConnectionCounters connections;
    };
    [[nodiscard]] Counters counters() const;

private:
    struct Parts;
    explicit ControlNetwork(std::unique_ptr<Parts> parts);
    std::unique_ptr<Parts> m_parts;
};

} // namespace tasuki::control
