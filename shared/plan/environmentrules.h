// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

/// What an environment may hold: the same for files and for cells that are typed in, in the same
/// words.
namespace tasuki::plan {

/// Limits belong to what is allowed.
namespace limits {
inline constexpr std::size_t mostNodes = 1024;
inline constexpr std::size_t longestName = 255; ///< bytes
inline constexpr std::uint32_t mostSlots = 4096;
inline constexpr std::uint32_t mostCores = 65'536;
inline constexpr double leastSpeed = 1e-6;
inline constexpr double mostSpeed = 1e6;
inline constexpr double mostUs = 1e12;       ///< of a0 and its interval; the least is 0
inline constexpr double mostUsPerByte = 1e9; ///< of a1, egress and ingress; the least is 0
inline constexpr double mostBytes = 1e15;    ///< of a burst and of send buffers; the least is 0
inline constexpr std::uint64_t mostEagerBytes = std::uint64_t{1} << 62U;
} // namespace limits

/// What a number must be. Not a number is allowed by none.
struct NumberRule {
    double least = 0.0;
    double most = 0.0;
    std::string_view expected; ///< follows "expected": "a number from 0 to 10"
    std::string_view example;  ///< follows "e.g."

    [[nodiscard]] constexpr bool allows(double value) const
    {
        return value >= least && value <= most;
    }
};

/// What a whole number must be.
struct WholeRule {
    std::uint64_t least = 0;
    std::uint64_t most = 0;
    std::string_view expected;
    std::string_view example;

    [[nodiscard]] constexpr bool allows(std::uint64_t value) const
    {
        return value >= least && value <= most;
    }
};

namespace rules {
/// Of nodes, and of those that the trace was taken on.
inline constexpr NumberRule speed{limits::leastSpeed, limits::mostSpeed,
                                  "a number above 0, from 0.000001 to 1000000", "0.5"};
inline constexpr NumberRule speedInterval{0.0, limits::mostSpeed, "a number from 0 to 1000000",
                                          "0.01"};
/// Of a0 and its interval.
inline constexpr NumberRule us{0.0, limits::mostUs, "microseconds, a number from 0 to 1e12",
                               "60.0"};
/// Of a1, its interval, egress and ingress.
inline constexpr NumberRule usPerByte{0.0, limits::mostUsPerByte,
                                      "microseconds for a byte, a number from 0 to 1e9", "0.08"};
/// Of a burst and of send buffers.
inline constexpr NumberRule bytes{0.0, limits::mostBytes, "bytes, a number from 0 to 1e15", "1500"};
inline constexpr WholeRule slots{1, limits::mostSlots, "a whole number from 1 to 4096", "2"};
inline constexpr WholeRule cores{1, limits::mostCores, "a whole number from 1 to 65536", "8"};
inline constexpr WholeRule eagerBytes{0, limits::mostEagerBytes, "a whole number of bytes",
                                      "65536"};
} // namespace rules

/// Reads what a person types for a number, with a point whatever the language; blanks around it do
/// not matter.
/// @return none: it is no number, or none that the rule allows
std::optional<double> parseNumber(std::string_view text, const NumberRule& rule);
std::optional<std::uint64_t> parseWhole(std::string_view text, const WholeRule& rule);

/// @return why a node cannot have this name: "is empty", "has a blank in it"; nothing if it can.
///         Names are what launchers know the computers by. The text must be UTF-8.
std::optional<std::string> nameFault(std::string_view name);

} // namespace tasuki::plan
