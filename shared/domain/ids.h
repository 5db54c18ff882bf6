// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

// Before Rank is declared: to GCC, SeatKind::Active would hide it.
#include "systemwords.h"

#include <compare>
#include <cstdint>
#include <functional>
#include <string>

namespace tasuki {

/// A number that cannot be mixed up with a number of another kind.
/// @tparam Tag  distinguishes the kinds, never defined
/// @tparam Rep  the representation, an integer type
template <class Tag, class Rep>
class Id {
public:
    using Representation = Rep;

    constexpr Id() = default;
    constexpr explicit Id(Rep value) : m_value(value) {}

    [[nodiscard]] constexpr Rep value() const { return m_value; }
    constexpr auto operator<=>(const Id&) const = default;

    /// The next number of the same kind.
    [[nodiscard]] constexpr Id next() const { return Id(static_cast<Rep>(m_value + 1)); }
    [[nodiscard]] constexpr Id previous() const { return Id(static_cast<Rep>(m_value - 1)); }

private:
    Rep m_value{};
};

/// A task of one run: its place in the order in which tasks became known, from 0.
using TaskId = Id<struct TaskIdTag, std::uint32_t>;
/// Which execution of a task this is, from 1.
using AttemptNumber = Id<struct AttemptNumberTag, std::uint32_t>;
/// Logical rank, numbered through all subclusters from 0: the rank in its world is that less the
/// first rank of the subcluster. Who holds it may change; see Incarnation.
using Rank = Id<struct RankTag, std::int32_t>;
/// A processor's number in the launch, from 0. It never changes, and is not used again.
using ProcessorId = Id<struct ProcessorTag, std::uint32_t>;
/// One being of a processor in its launch, from 1: one that was fenced and is let in again has a greater one.
using Life = Id<struct LifeTag, std::uint32_t>;
/// A subcluster's place in the topology, from 0.
using SubclusterId = Id<struct SubclusterTag, std::uint32_t>;
/// A unit's place in the layout of the system, from 0.
using UnitId = Id<struct UnitTag, std::uint32_t>;
/// What a processor is there for: the ranks of all subclusters come first, with the numbers that
/// they have as Rank, then the places for I/O processors, then those for dedicated masters.
using SeatId = Id<struct SeatTag, std::uint32_t>;
/// Room for one running task on a processor, from 0.
using SlotIndex = Id<struct SlotIndexTag, std::uint32_t>;
/// One life of a run's system master: 1 when the run file is made, one more at every resume.
using Epoch = Id<struct EpochTag, std::uint32_t>;
/// Counts the masters that have succeeded each other in an epoch, from 0.
using Term = Id<struct TermTag, std::uint32_t>;
/// Place of an event in its epoch, from 1.
using Sequence = Id<struct SequenceTag, std::uint64_t>;
/// How often a rank or another seat has changed its holder, from 1.
using Incarnation = Id<struct IncarnationTag, std::uint32_t>;

/// One execution of one task.
struct AttemptKey {
    TaskId task;
    AttemptNumber number;
    auto operator<=>(const AttemptKey&) const = default;
};

/// Identity of an event within its run; the order of events is the order of their ids.
struct EventId {
    Epoch epoch;
    Sequence sequence;
    auto operator<=>(const EventId&) const = default;
};

/// @return e.g. "2.17": epoch and sequence
std::string eventIdText(EventId id);

/// Which definition of a task somebody has seen: grows with every event that defines it anew.
using Revision = Id<struct RevisionTag, std::uint64_t>;

/// @return the revision of a task that an event has defined
constexpr Revision revisionOf(EventId id)
{
    constexpr unsigned sequenceBits = 40;
    return Revision((std::uint64_t{id.epoch.value()} << sequenceBits) | id.sequence.value());
}

/// Identity of a run: 32 lower-case hexadecimal digits, drawn at random when the run file is made.
struct RunId {
    std::string hex;
    bool operator==(const RunId&) const = default;

    /// @return a new identity from the system's random source
    static RunId random();
};

} // namespace tasuki

template <class Tag, class Rep>
struct std::hash<tasuki::Id<Tag, Rep>> {
    std::size_t operator()(const tasuki::Id<Tag, Rep>& id) const noexcept
    {
        return std::hash<Rep>{}(id.value());
    }
};

template <>
struct std::hash<tasuki::AttemptKey> {
    std::size_t operator()(const tasuki::AttemptKey& key) const noexcept
    {
        return std::hash<std::uint64_t>{}((std::uint64_t{key.task.value()} << 32U)
                                          | key.number.value());
    }
};
