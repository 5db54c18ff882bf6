// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "segment.h"
#include "stream.h"

#include <array>
#include <cstdint>
#include <optional>

namespace tasuki::world {

/// What a program is told that may be something else the next time.
enum class ValueKind : std::uint8_t {
    Clock,    ///< of a clock, in nanoseconds
    Usage,    ///< of a clock of what the process has used, in nanoseconds
    Random,   ///< of the system's random numbers
    Position, ///< in a file that several ranks write, in bytes
};
inline constexpr std::size_t valueKinds = 4;

/// What happened to a rank and could have turned out differently, in order: which records it has
/// taken when, and values that it was told. Its next life is given the same again
/// (docs/worlds.md, "Takeover of a rank alone"). Lies in a stream of its log. Restart points stand
/// there, too, with what they save: at the first one a life goes on with the latest.
class Determinants {
public:
    /// In a call, all that stands in a rank's stream up to there was taken.
    struct Delivery {
        std::uint64_t step = 0; ///< number of the call
        WorldRank from = 0;
        std::uint64_t bytes = 0; ///< of its stream
        bool joins = false;      ///< it came at once with the one before
        bool operator==(const Delivery&) const = default;
    };
    struct Value {
        ValueKind kind = ValueKind::Clock;
        std::int64_t value = 0;
        bool operator==(const Value&) const = default;
    };

    /// All that a restart point saves stands behind it, so many bytes.
    struct Point {
        std::uint64_t step = 0;
        std::uint64_t first = 0; ///< the step of the rank's first one
        std::uint64_t bytes = 0;
        bool operator==(const Point&) const = default;
    };

    Determinants(Log log, StreamHead& head);

    /// Whether there is something that a life before has noted, and this one has not come to yet.
    [[nodiscard]] bool replays() const { return m_next.kind != Entry::Kind::None; }
    /// What comes next; null: nothing, or something of the other sort.
    [[nodiscard]] const Delivery* nextDelivery() const
    {
        return m_next.kind == Entry::Kind::Delivery ? &m_next.delivery : nullptr;
    }
    [[nodiscard]] const Value* nextValue() const
    {
        return m_next.kind == Entry::Kind::Value ? &m_next.value : nullptr;
    }
    [[nodiscard]] const Point* nextPoint() const
    {
        return m_next.kind == Entry::Kind::Point ? &m_next.point : nullptr;
    }
    /// Whether the restart point that comes next is not where this life has come to, but the latest one.
    [[nodiscard]] bool leaps() const { return m_leaps; }
    /// Copies what it saves, in order. Precondition: nextPoint(), and so much of it has not been read.
    void readPoint(void* to, std::uint64_t bytes);
    /// What came next is done. Precondition: replays()
    void pass();

    /// It has happened. Precondition: !replays()
    /// @return whether there was room
    bool note(const Delivery& delivery);
    bool note(const Value& value);
    /// @param first  the step of the rank's first restart point
    /// @param saved  what the point saves
    bool notePoint(std::uint64_t step, std::uint64_t first,
                   std::span<const StreamWriter::Part> saved);
    /// The restart point that was noted or passed last is the one to go on with.
    void releaseBefore();

    /// Bytes that stand before what comes next, and all.
    [[nodiscard]] std::uint64_t passed() const { return m_passed; }

private:
    struct Entry {
        enum class Kind : std::uint8_t { None, Delivery, Value, Point };
        Kind kind = Kind::None;
        Delivery delivery = {};
        Value value = {};
        Point point = {};
    };

    void decode();
    void decodeNext();
    void decodeEntry();
    void goToLatestPoint();
    std::uint8_t readByte();
    std::uint64_t readNumber();
    bool append(std::uint8_t tag, std::span<const std::uint64_t> numbers,
                std::span<const StreamWriter::Part> more = {});

    StreamHead* m_head;
    StreamReader m_reader;
    StreamWriter m_writer;
    Entry m_next;
    std::uint64_t m_passed = 0;
    bool m_isCut = false; ///< what comes next ends in the middle
    bool m_leaps = false;
    std::uint64_t m_pointLeft = 0;             ///< bytes of what comes next that are not read
    std::optional<std::uint64_t> m_firstPoint; ///< where it stands
    std::uint64_t m_lastPoint = 0;             ///< the same of the latest
    // What the next entry counts from.
    std::uint64_t m_lastStep = 0;
    std::array<std::int64_t, valueKinds> m_lastValues{};
};

} // namespace tasuki::world
