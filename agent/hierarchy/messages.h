// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "actions.h"
#include "membershipview.h"
#include "orders.h"
#include "recordedseat.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

/// What processors tell each other about who is there: docs/hierarchy.md, "What
/// everybody knows".
namespace tasuki::hierarchy {

/// A seat and which holding of it.
struct Holding {
    SeatId seat;
    Incarnation incarnation;
    bool operator==(const Holding&) const = default;
};

/// What a processor says of itself in its beats.
enum class Readiness : std::uint8_t { Starting = 0, Ready = 1, Leaving = 2 };

/// What a processor says that acts as the system master, or is to: the stamp shows how new its word
/// is.
struct Stamp {
    ProcessorId leader;     ///< who says it
    std::uint64_t when = 0; ///< in ms, on its own clock: compared with others of it only
    Version table = {};     ///< of the system table that names the voters by whom it counts
    bool candidate = false; ///< it does not act yet: it may bury those before it
    bool operator==(const Stamp&) const = default;
};

/// The most processors in a report of who follows whom: with a byte for each, all of it fits into a
/// datagram.
inline constexpr std::size_t mostSupportSteps = 768;
/// The most renunciations in a datagram.
inline constexpr std::size_t mostRenounced = 8;

/// Who of the sender's subcluster is known to have which stamps.
struct Support {
    Stamp newest;             ///< that the sender has
    std::uint32_t stepMs = 1; ///< so long is a step
    std::uint32_t first = 0;  ///< which row of the table is the first one
    /// A byte for each row: how many steps older than the newest its stamp is, at least (127: nothing
    /// is known); the highest bit: it has heard of no other one for long.
    std::string steps = {};
    bool operator==(const Support&) const = default;
};

// ---- datagrams: any may be lost

/// I live.
struct Beat {
    std::uint64_t number = 0; ///< counts the sender's beats
    std::uint64_t digest = 0; ///< of the sender's view
    Version own = {};         ///< of its cluster's table, as the sender has it
    std::uint64_t turns = 0;  ///< of its main loop
    Readiness readiness = Readiness::Starting;
    std::optional<Holding> holding = {}; ///< what it holds, or held last
    std::optional<Support> support = {}; ///< none: nothing has come down yet
    Version system = {};                 ///< of the system table that the sender has
    bool lapsed = false;                 ///< its lease is over: perhaps it hears nobody
    Generation generation = {};          ///< the latest of tables that the sender has heard of
    std::vector<Stamp> renounced = {};   ///< stamps that count no more, with all that are older
    bool operator==(const Beat&) const = default;
};

/// Ages are said up to this: what is older is as good as never.
inline constexpr std::chrono::microseconds longestAge = std::chrono::hours(1);

/// A beat was heard.
struct BeatReply {
    std::uint64_t number = 0; ///< of the beat
    std::uint64_t digest = 0; ///< of the sender's view
    /// How old the sender's own lease is: what it gives on ends with it.
    std::chrono::microseconds leaseAge{};
    /// How old the newest word is that a majority follows the system master, by what the sender
    /// knows, and that it follows no other one.
    std::chrono::microseconds grantAge{};
    std::chrono::microseconds soleAge{};
    std::optional<Stamp> stamp = {}; ///< the newest of who is followed
    /// How old it is at least: the time that it spent at the processors that passed it on.
    std::chrono::microseconds stampAge{};
    /// How old the newest word is that a majority follows the maker of the stamp.
    std::chrono::microseconds majorityAge{};
    /// The same, whether or not it follows another one, too.
    std::chrono::microseconds followedAge{};
    Generation generation = {}; ///< as in Beat
    std::vector<Stamp> renounced = {};
    bool operator==(const BeatReply&) const = default;
};

/// The processor that you beat to is not heard of: beat to me, once.
struct Ask {
    bool operator==(const Ask&) const = default;
};

/// You are lost for the others: do nothing any more.
struct Banish {
    Life life{1};         ///< and those before it
    bool forGood = false; ///< you are not let in again either
    /// How long the sender has known that they are over; none: they are to be, or it does not know.
    std::optional<std::chrono::microseconds> lostFor = {};
    bool operator==(const Banish&) const = default;
};

/// A processor has given up what it was and did, and wants to be let in.
struct Rejoin {
    ProcessorId processor;                  ///< who: others pass it on to the system master
    Life life = {};                         ///< as which
    std::uint64_t number = 0;               ///< counts what it sends, with its beats
    std::optional<Stamp> acknowledged = {}; ///< the newest of who it follows; it may vote still
    bool sole = false;                      ///< it follows nobody else
    Version system = {};                    ///< of the system table that it has
    Generation generation = {};             ///< as in Beat
    std::vector<Stamp> renounced = {};
    bool operator==(const Rejoin&) const = default;
};

/// A processor has gone on in its place after it had been given up: clocks are wrong beyond what is assumed.
struct Overlap {
    ProcessorId processor; ///< who: others pass it on to the system master
    Life life{1};
    std::optional<Holding> holding = {}; ///< in which it went on
    bool led = false;                    ///< it went on as the system master
    /// True: by its clock its lease still held when it heard that it was to stop. False: the
    /// overlap is concluded from when its lease was over, by a clock that is wrong.
    bool certain = false;
    std::uint32_t refused = 0; ///< results that it had, and that do not count
    bool operator==(const Overlap&) const = default;
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

/// The record of the run knows of these holdings: none is to be given out once more.
struct Recorded {
    std::vector<RecordedSeat> seats;
    bool operator==(const Recorded&) const = default;
};

/// You are one of us again.
struct Admission {
    Life life = {};  ///< as which
    BeatReply reply; ///< to what was sent with the number
    Tables tables;   ///< all
    /// How long the sender has known that the life before is over; none: it does not.
    std::optional<std::chrono::microseconds> lostFor = {};
};

/// The datagrams' kinds stand first.
using ControlMessage =
    std::variant<Beat, BeatReply, Ask, Banish, Rejoin, Overlap, Tables, TablesWanted, Observations,
                 Fence, Taken, Vacated, Orders, Admission, Recorded>;

/// @return whether a message may be lost and goes by datagram
inline bool isDatagram(const ControlMessage& message) { return message.index() <= 5; }

} // namespace tasuki::hierarchy
