// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace tasuki {

/// What a guardian starts. Each kind has a row in childStreams.
enum class ChildKind : std::uint8_t {
    Task,    ///< runs by itself
    Program, ///< talks with the agent while it runs
    Stage,   ///< a filter: what it reads comes from the agent, and what it writes goes there
};

/// Where a descriptor of a child leads.
enum class ChildStream : std::uint8_t {
    Nothing,   ///< nowhere: standard input is empty, another descriptor is closed
    Captured,  ///< to the guardian, which keeps what is written
    FromAgent, ///< a pipe that the agent writes
    ToAgent,   ///< a pipe that the agent reads
    Channel,   ///< a socket that the agent reads and writes
};

/// The descriptor of a child that its variable TASUKI_CHANNEL names: a single digit, as dash demands.
inline constexpr int channelDescriptor = 3;
/// Of a child, by descriptor. Only standard output and standard error can be captured.
using ChildStreams = std::array<ChildStream, channelDescriptor + 1>;

inline constexpr auto childStreams = [] {
    using enum ChildStream;
    return std::to_array<ChildStreams>({
        // standard input, output, error, channelDescriptor
        {Nothing, Captured, Captured, Nothing},  // Task
        {Nothing, Captured, Captured, Channel},  // Program
        {FromAgent, ToAgent, Captured, Nothing}, // Stage
    });
}();

constexpr const ChildStreams& streamsOf(ChildKind kind)
{
    return childStreams[static_cast<std::size_t>(kind)];
}

} // namespace tasuki
