// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/ids.h"
#include "domain/systemevents.h"
#include "domain/systemwords.h"

#include <chrono>
#include <compare>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

/// The failure hierarchy, after MPI/SP_x: who watches whom, what is done when a processor is lost.
/// Pure logic over ControlPort and HostPort; the design is in docs/hierarchy.md.
namespace tasuki::hierarchy {

/// Counts the times that somebody began to write in the place of a writer who was lost.
using Generation = Id<struct GenerationTag, std::uint64_t>;
/// Which writer's a state of a table is: those of a later generation come after all of an earlier one.
using TableTerm = Id<struct TableTermTag, std::uint64_t>;

/// Which state of a table this is: the newest counts. Each new writer begins a new term.
struct Version {
    TableTerm term;
    std::uint64_t revision = 0;
    auto operator<=>(const Version&) const = default;
};

inline constexpr unsigned bitsBelowGeneration = 32;

constexpr Generation generationOf(TableTerm term)
{
    return Generation(term.value() >> bitsBelowGeneration);
}

/// @return the term of a processor that writes in the place of a lost one, and may not know of all
///         terms that were begun meanwhile. The later a processor comes in the order of succession
///         the further beyond is its term, also when it does not know of the terms of others
/// @param latest  the generation that it knows of
/// @param place  in that order, see placeInSuccession()
constexpr TableTerm termBeyond(Generation latest, std::uint32_t place)
{
    constexpr unsigned placeBits = 12; // below them terms of cluster masters that go on from there
    return TableTerm(latest.next().value() << bitsBelowGeneration
                     | std::uint64_t{place} << placeBits);
}

/// The life of a processor whose number is reserved: nobody has come with it yet. Those who come after the
/// start have later lives, and those of the start earlier ones.
inline constexpr Life reservedLife{1U << 16U};
/// @return by which processes that come with one number are told apart: all lives of one have the same; 0: it
///         is there from the start
constexpr std::uint32_t arrivalOf(Life life) { return life.value() / reservedLife.value(); }
/// @return the life in which a process asks for the first time that comes after the start
/// @param arrival  not 0
constexpr Life firstLifeOf(std::uint16_t arrival)
{
    return Life(arrival * reservedLife.value() + 1);
}

/// What a cluster configuration table says of a processor.
struct MemberRow {
    ProcessorId processor;
    UnitId unit;
    ProcessorKind kind = ProcessorKind::Active;
    Health health = Health::Expected;
    HealthCause cause = HealthCause::None;
    std::optional<SeatId> seat = {};
    bool drained = false;       ///< gets no seat and no new work
    bool vacating = false;      ///< is to let go of its seat, and does nothing in it any more
    std::uint32_t promoted = 0; ///< before those with less in every order of succession
    /// Of a processor that is condemned or no more: its last sign of life, or when the end of its
    /// process was seen, by the clock of the deciding processor's host; none: not known.
    std::optional<WallTime> lostAt = {};
    std::chrono::microseconds detection = notKnown; ///< from there to the cluster master's verdict
    Life life{1};                                   ///< one more each time that it was let in again
    bool ended =
        false; ///< of who is lost or has left: the end of its process was seen, or it said so
    bool operator==(const MemberRow&) const = default;

    /// Beats, or is at least expected to: it can be a master.
    [[nodiscard]] bool living() const { return health <= Health::Condemned; }
    [[nodiscard]] bool reserved() const { return life == reservedLife; }
    /// Else it is a guest, or nobody yet: without a vote, and after all others.
    [[nodiscard]] bool ofStart() const { return life < reservedLife; }
};

/// @return whether processors of a kind are there for seats of a kind from the start
constexpr bool servesAs(ProcessorKind kind, SeatKind seat)
{
    return (kind == ProcessorKind::Active && seat == SeatKind::Active)
        || (kind == ProcessorKind::Io && seat == SeatKind::Io);
}

/// What a cluster configuration table says of a seat. Who holds it stands in the members' rows.
struct SeatRow {
    SeatId seat;
    SeatKind kind = SeatKind::Active;
    Incarnation incarnation; ///< of the present or the last holder; 0: nobody has held it
    bool givenUp = false;    ///< it has changed its holder too often
    bool open = false;       ///< its holder is lost, and it is not decided yet who gets it
    std::optional<ProcessorId> previous = {}; ///< who lost it last
    bool taken = true;                        ///< its holder has said that it has it
    /// From the verdict about the last holder to what the new one said.
    std::chrono::microseconds takeover = notKnown;
    bool operator==(const SeatRow&) const = default;
};

/// @return whether a processor may get a seat that nobody holds, if it is well: it has nothing to
///         do and is there for such seats. A processor that was made a standby does not get back
///         the seat that it was to let go of; a seat that nobody has held yet is for processors that
///         come after the start
bool mayGet(const MemberRow& row, const SeatRow& seat);

/// What holds for losses in a subcluster.
struct ClusterRules {
    std::uint32_t minimum = 1; ///< fewer ranks held than this: down
    std::uint32_t restarts = 3;
    std::chrono::seconds within{60};
    bool operator==(const ClusterRules&) const = default;
};

/// The latest order that was carried out, or found to be impossible. Each who gives orders counts
/// its own.
struct OrderMark {
    ProcessorId issuer;
    std::uint64_t number = 0;
    bool operator==(const OrderMark&) const = default;
};

/// The cluster configuration table of one subcluster. Its cluster master is the one writer.
struct ClusterTable {
    SubclusterId subcluster;
    Version version;
    ProcessorId writer;
    ClusterState state = ClusterState::Starting;
    std::vector<MemberRow> members; ///< by number
    std::vector<SeatRow> seats;     ///< by number
    ClusterRules rules = {};
    /// How long before this state was published seats were taken over, as far as the rules count
    /// them: the oldest first. A successor goes on counting.
    std::vector<std::chrono::microseconds> takeovers = {};
    OrderMark ordered = {};
    bool operator==(const ClusterTable&) const = default;

    /// @return the row of a processor; null: not of this subcluster
    [[nodiscard]] const MemberRow* member(ProcessorId processor) const;
    [[nodiscard]] MemberRow* member(ProcessorId processor);
    [[nodiscard]] SeatRow* seat(SeatId seat);
    [[nodiscard]] const SeatRow* seat(SeatId seat) const;
    /// @return the row of a seat's holder; null: it is vacant
    [[nodiscard]] const MemberRow* holder(SeatId seat) const;
    /// @return a seat for processors of a kind that nobody holds, one that is not given up if there
    ///         is; null: none
    [[nodiscard]] SeatRow* vacantSeat(ProcessorKind kind);
    [[nodiscard]] const SeatRow* vacantSeat(ProcessorKind kind) const;
    /// Ranks that somebody living holds.
    [[nodiscard]] std::size_t heldRanks() const;
};

/// What holds in the whole system, as the topology says or an operator wants.
struct Settings {
    std::chrono::milliseconds heartbeat{100};
    std::uint32_t suspectAfter = 3; ///< heartbeats
    std::uint32_t lostAfter = 10;   ///< heartbeats
    DownPolicy policy = DownPolicy::Restart;
    bool rejoin = true; ///< who gave itself up may come back as a standby
    bool operator==(const Settings&) const = default;
};

/// What the system master says to all.
struct SystemTable {
    Version version;
    ProcessorId writer;
    bool started = false; ///< all were ready: work may begin
    Settings settings;
    /// Of whom a majority counts, by number; none named: everybody.
    std::vector<ProcessorId> voters = {};
    /// While they change: of these too.
    std::vector<ProcessorId> votersToBe = {};
    bool operator==(const SystemTable&) const = default;
};

/// Tables are shared, never changed.
using ClusterTablePtr = std::shared_ptr<const ClusterTable>;
using SystemTablePtr = std::shared_ptr<const SystemTable>;

} // namespace tasuki::hierarchy
