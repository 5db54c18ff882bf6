// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "segment.h"

#include "domain/result.h"

#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <string>

namespace tasuki::world {

/// The agent's end of a rank's rings to and from ranks of other hosts: takes what the program has
/// written for these, and writes what they have sent. What is under way is bounded: a sender stops
/// until the other side has put it into its ring. Logic on one thread; its caller notices when the
/// rank's agent is rung (Segment, agentOf()).
class Bridge {
public:
    /// A stretch of records: of each its length as four bytes, lowest first, and its bytes.
    struct Ports {
        std::function<void(WorldRank to, std::string records)> send;
        /// So many bytes of a stretch are in the ring.
        std::function<void(WorldRank from, std::uint64_t bytes)> taken;
    };
    struct Limits {
        std::uint64_t window = 1U << 20U;   ///< under way to one rank, about
        std::uint64_t stretch = 128 * 1024; ///< of one call of send, about
    };

    /// @param segment  outlives this object
    Bridge(const Segment& segment, WorldRank me, Ports ports, Limits limits);
    Bridge(const Segment& segment, WorldRank me, Ports ports)
        : Bridge(segment, me, std::move(ports), Limits{})
    {}

    /// The program has written something for a rank of another host.
    void touch(WorldRank to) { m_outgoing.try_emplace(to); }
    /// Moves what can be moved.
    void move();
    /// What a rank of another host has sent.
    /// @return an Error of kind Protocol; then nothing of it is taken
    Result<void> deliver(WorldRank from, std::string records);
    /// The other side has put so many bytes into its ring.
    void taken(WorldRank to, std::uint64_t bytes);
    /// The program reads nothing more: what has found no room counts as taken.
    void dropIncoming();
    /// All that the program has written for others is with them.
    [[nodiscard]] bool isDrained() const { return m_outgoing.empty(); }

private:
    struct Incoming {
        std::deque<std::string> stretches;
        std::size_t at = 0; ///< in the first one
    };

    bool collect(WorldRank to, std::uint64_t& underWay);
    bool write(WorldRank from, Incoming& incoming);

    const Segment& m_segment;
    WorldRank m_me;
    Ports m_ports;
    Limits m_limits;
    std::map<WorldRank, std::uint64_t>
        m_outgoing; ///< bytes under way, of who has some or has more to send
    std::map<WorldRank, Incoming> m_incoming; ///< what has found no room
};

} // namespace tasuki::world
