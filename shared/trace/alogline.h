// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

namespace tasuki::trace {

/// The record types that the format itself defines. Types down to -100 are headers, those below belong
/// to the system, the others to the program.
namespace alogtype {
inline constexpr std::int64_t creator = -1;
inline constexpr std::int64_t eventCount = -2;
inline constexpr std::int64_t processCount = -3;
inline constexpr std::int64_t taskCount = -4;
inline constexpr std::int64_t typeCount = -5;
inline constexpr std::int64_t startTime = -6;
inline constexpr std::int64_t endTime = -7;
inline constexpr std::int64_t timerCycles = -8;
inline constexpr std::int64_t eventDescription = -9;
inline constexpr std::int64_t rollover = -11;
inline constexpr std::int64_t state = -13;
inline constexpr std::int64_t processName = -15;
inline constexpr std::int64_t lastHeader = -100;
inline constexpr std::int64_t send = -101;
inline constexpr std::int64_t receive = -102;
} // namespace alogtype

/// The fields of a line by their place, for columns and words of diagnostics.
enum class AlogField : std::uint8_t {
    Type,
    Process,
    TaskNumber,
    Data,
    Cycle,
    Timestamp,
    Tag,
    Bytes
};

struct BlankLine {};

/// Types -1 to -100.
struct HeaderLine {
    std::int64_t type = 0;
    std::int64_t process = 0;
    std::int64_t task = 0;
    std::int64_t data = 0;
    std::int64_t timestamp = 0;
    std::string_view comment;
};

/// Where a line's time stands, and what comes behind it.
struct TimeReading {
    std::int64_t timestamp = 0;
    std::string_view comment;
};

/// The begin or end of a state, or a mark.
struct EventLine {
    std::int64_t type = 0;
    std::int64_t process = 0;
    std::int64_t thread = 0; ///< the field "task"
    std::int64_t data = 0;
    std::int64_t cycle = 0;
    TimeReading plain;                  ///< the sixth field is the time
    std::optional<TimeReading> shifted; ///< or, if it is a number, the seventh is
};

/// Types -101 and -102.
struct MessageLine {
    bool isSend = false;
    std::int64_t process = 0;
    std::int64_t thread = 0;
    std::int64_t peer = 0;
    std::int64_t cycle = 0;
    std::int64_t timestamp = 0;
    std::int64_t tag = 0;
    std::int64_t bytes = 0;
    std::string_view comment;
    bool shifted = false; ///< one field more before the time
};

/// A line that says nothing that can be used.
struct MalformedLine {
    enum class Fault : std::uint8_t { FieldMissing, NoNumber, OutOfRange, NulByte };
    Fault fault = Fault::FieldMissing;
    AlogField field = AlogField::Type;
    std::uint64_t column = 0; ///< of what was found, from 1
    std::string_view found;
};

/// One line of a log; the texts in it are parts of the line that was given.
using AlogLine = std::variant<BlankLine, HeaderLine, EventLine, MessageLine, MalformedLine>;

/// @param line  without its end; blanks and a carriage return at its end do not count
AlogLine parseAlogLine(std::string_view line);

/// @return the column, from 1, in which a field of the plain dialect begins, or where it is missing
std::uint64_t columnOf(std::string_view line, AlogField field);
/// @return the place of the field with the name that the format gives it: "process"
std::string_view fieldName(AlogField field);
/// @return the number that a whole text is, if it is one within the range of 64 bits
std::optional<std::int64_t> wholeNumber(std::string_view text);
/// @return the text between quotes, shortened, bytes that do not print as \xNN
std::string inQuotes(std::string_view text);
/// @return the text without blanks around it
std::string_view trimmedBlanks(std::string_view text);

} // namespace tasuki::trace
