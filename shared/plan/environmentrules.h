// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "config/rules.h"

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
inline constexpr std::size_t longestName = config::longestHostName; ///< bytes
inline constexpr std::uint32_t mostSlots = 4096;
inline constexpr std::uint32_t mostCores = 65'536;
inline constexpr double leastSpeed = 1e-6;
inline constexpr double mostSpeed = 1e6;
inline constexpr double mostUs = 1e12;       ///< of a0 and its interval; the least is 0
inline constexpr double mostUsPerByte = 1e9; ///< of a1, egress and ingress; the least is 0
inline constexpr double mostBytes = 1e15;    ///< of a burst and of send buffers; the least is 0
inline constexpr std::uint64_t mostEagerBytes = std::uint64_t{1} << 62U;
} // namespace limits

using config::NumberRule;
using config::parseNumber;
using config::parseWhole;
using config::WholeRule;

namespace rules {
/// Of nodes, and of those that the trace was taken on.
inline constexpr NumberRule speed{limits::leastSpeed, limits::mostSpeed,
                                  Phrase::tr("a number above 0, from 0.000001 to 1000000"), "0.5"};
inline constexpr NumberRule speedInterval{0.0, limits::mostSpeed,
                                          Phrase::tr("a number from 0 to 1000000"), "0.01"};
/// Of a0 and its interval.
inline constexpr NumberRule us{0.0, limits::mostUs,
                               Phrase::tr("microseconds, a number from 0 to 1e12"), "60.0"};
/// Of a1, its interval, egress and ingress.
inline constexpr NumberRule usPerByte{0.0, limits::mostUsPerByte,
                                      Phrase::tr("microseconds for a byte, a number from 0 to 1e9"),
                                      "0.08"};
/// Of a burst and of send buffers.
inline constexpr NumberRule bytes{0.0, limits::mostBytes,
                                  Phrase::tr("bytes, a number from 0 to 1e15"), "1500"};
inline constexpr WholeRule slots{1, limits::mostSlots, Phrase::tr("a whole number from %1 to %2"),
                                 "2"};
inline constexpr WholeRule cores{1, limits::mostCores, Phrase::tr("a whole number from %1 to %2"),
                                 "8"};
inline constexpr WholeRule eagerBytes{0, limits::mostEagerBytes,
                                      Phrase::tr("a whole number of bytes"), "65536"};
} // namespace rules

/// @return why a node cannot have this name: "is empty", "has a blank in it"; nothing if it can
inline std::optional<Phrase> nameFault(std::string_view name)
{
    return config::hostNameFault(name);
}

} // namespace tasuki::plan
