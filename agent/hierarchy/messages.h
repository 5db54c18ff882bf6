// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "actions.h"
#include "orders.h"
#include "picture.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <variant>
#include <vector>

/// What processors tell each other about who is there: the table in ARCHITECTURE.md.
namespace tasuki::hierarchy {

/// A seat and which holding of it.
struct Holding {
    SeatId seat;
    Incarnation incarnation;
    bool operator==(const Holding&) const = default;
};

/// What a processor says of itself in its beats.
enum class Readiness : std::uint8_t { Starting = 0, Ready = 1, Leaving = 2 };

// ---- datagrams: any may be lost

/// I live.
struct Beat {
    std::uint64_t number = 0; ///< counts the sender's beats
    std::uint64_t digest = 0; ///< of the sender's picture
    Version own = {};         ///< of its cluster's table, as the sender has it
    std::uint64_t turns = 0;  ///< of its main loop
    Readiness readiness = Readiness::Starting;
    std::optional<Holding> holding = {}; ///< what it holds, or held last
    bool operator==(const Beat&) const = default;
};

/// A beat was heard.
struct BeatReply {
    std::uint64_t number = 0; ///< of the beat
    std::uint64_t digest = 0; ///< of the sender's picture
    /// How old the sender's own lease is: what it gives on ends with it.
    std::chrono::microseconds leaseAge{};
    bool operator==(const BeatReply&) const = default;
};

/// Whom you beat to is not heard of: beat to me, once.
struct Ask {
    bool operator==(const Ask&) const = default;
};

/// You are lost for the others: do nothing any more.
struct Banish {
    bool operator==(const Banish&) const = default;
};

// ---- over a connection; repeated until the tables show that they were heard

struct Tables {
    std::vector<ClusterTablePtr> clusters;
    SystemTablePtr system; ///< null: not with it
};

struct TablesWanted {
    Versions have;
    bool operator==(const TablesWanted&) const = default;
};

struct Observations {
    std::vector<Observed> observed;
    bool operator==(const Observations&) const = default;
};

/// Kill these.
struct Fence {
    std::vector<ProcessorId> processors;
    bool operator==(const Fence&) const = default;
};

/// The holding is mine.
struct Taken {
    Holding holding;
    bool operator==(const Taken&) const = default;
};

/// The holding is mine no more.
struct Vacated {
    Holding holding;
    bool operator==(const Vacated&) const = default;
};

/// An operator wants this.
struct Orders {
    std::vector<NumberedOrder> orders; ///< of one subcluster, by number
    bool operator==(const Orders&) const = default;
};

/// The datagrams' kinds stand first.
using ControlMessage = std::variant<Beat, BeatReply, Ask, Banish, Tables, TablesWanted,
                                    Observations, Fence, Taken, Vacated, Orders>;

/// @return whether a message may be lost and goes by datagram
inline bool isDatagram(const ControlMessage& message) { return message.index() <= 3; }

} // namespace tasuki::hierarchy
