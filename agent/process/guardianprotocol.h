// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "childkind.h"
#include "executor.h"

#include "domain/attempt.h"
#include "domain/command.h"
#include "domain/ids.h"
#include "domain/result.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

/// What an agent and its guardian say to each other over their socket. Both come from the same
/// build and run on the same host: the format has no versions and uses the host's byte order.
namespace tasuki::guardian {

/// The descriptor at which a guardian finds its end of the socket.
inline constexpr int socketFd = 3;
/// Bytes of length before the body of a frame.
inline constexpr std::size_t headerSize = 4;
/// Longest body of a frame.
inline constexpr std::size_t maximumBody = 0xFFFFFF00;
/// Longest command: leaves room for the other fields of a Start.
inline constexpr std::size_t maximumCommand = maximumBody - 1024;

// From the agent --------------------------------------------------------------------------------

/// First of all, once: what holds for every attempt.
struct Configure {
    RunId run;
    Epoch epoch;
    Rank rank;
    std::string directory;         ///< in which tasks run; empty: the guardian's own
    std::uint64_t captureHead = 0; ///< bytes kept of the beginning of each stream
    std::uint64_t captureTail = 0; ///< bytes kept of the end of each stream
    std::string spoolDirectory; ///< where all of a longer stream is put; empty: that is not wanted
    std::chrono::milliseconds killGrace{}; ///< between SIGTERM and SIGKILL
    std::chrono::milliseconds lease{};     ///< longest silence of the agent; 0: no limit
    bool resetAffinity = false; ///< tasks may use all processors, not only the launcher's choice
    bool operator==(const Configure&) const = default;
};

/// Names the settings of tasks to come.
struct DefineSettings {
    std::uint32_t id = 0;
    std::optional<std::chrono::milliseconds> timeout;
    std::string directory;
    std::vector<std::pair<std::string, std::string>> environment;
    bool operator==(const DefineSettings&) const = default;
};

/// The id will not be used again unless it is defined anew.
struct ForgetSettings {
    std::uint32_t id = 0;
    bool operator==(const ForgetSettings&) const = default;
};

struct Start {
    AttemptKey key;
    SlotIndex slot;
    std::uint32_t settings = 0;
    std::string command;
    std::vector<std::uint32_t> cores = {}; ///< that it may use; empty: all
    ChildKind kind = ChildKind::Task;
    bool operator==(const Start&) const = default;
};

struct Stop {
    AttemptKey key;
    StopReason reason = StopReason::Cancelled;
    bool operator==(const Stop&) const = default;
};

/// Stop everything, then answer AllStopped with the same token.
struct StopAll {
    std::uint32_t token = 0;
    StopReason reason = StopReason::Interrupted;
    bool operator==(const StopAll&) const = default;
};

/// The agent lives; answered by Alive.
struct KeepAlive {
    bool operator==(const KeepAlive&) const = default;
};

/// What has an attempt written? Answered by Peeked with the same token.
struct Peek {
    std::uint32_t token = 0;
    OutputQuery query;
    bool operator==(const Peek&) const = default;
};

/// All of the output is wanted, piece by piece: what stands before the places asked for is not
/// needed any more. Answered by Fetched with the same token.
struct Fetch {
    std::uint32_t token = 0;
    OutputQuery query;
    bool wait = false; ///< the answer waits until there is something, or the attempt has ended
    bool operator==(const Fetch&) const = default;
};

/// Nothing of the output of an attempt that has ended is needed any more.
struct Release {
    AttemptKey key;
    bool operator==(const Release&) const = default;
};

/// Sends a signal to the process group of an attempt that runs.
struct Signal {
    AttemptKey key;
    std::int32_t number = 0;
    bool operator==(const Signal&) const = default;
};

using Command = std::variant<Configure, DefineSettings, ForgetSettings, Start, Stop, StopAll,
                             KeepAlive, Peek, Fetch, Release, Signal>;

// From the guardian -----------------------------------------------------------------------------

struct Started {
    AttemptKey key;
    WallTime startedAt{};
    bool connected = false; ///< the agent's ends of its streams come with the frame
    bool operator==(const Started&) const = default;
};

struct Finished {
    AttemptKey key;
    AttemptResult result;
    bool operator==(const Finished&) const = default;
};

struct AllStopped {
    std::uint32_t token = 0;
    bool operator==(const AllStopped&) const = default;
};

struct Alive {
    bool operator==(const Alive&) const = default;
};

struct Peeked {
    std::uint32_t token = 0;
    OutputAnswer answer;
    bool operator==(const Peeked&) const = default;
};

struct Fetched {
    std::uint32_t token = 0;
    FetchedOutput output;
    bool operator==(const Fetched&) const = default;
};

using Report = std::variant<Started, Finished, AllStopped, Alive, Peeked, Fetched>;

/// @return a whole frame, length included. Precondition: its body is within maximumBody.
std::string encode(const Command& command);
std::string encode(const Report& report);

/// @param body  a frame's body
/// @return an Error of kind Protocol when it is not one whole message
Result<Command> decodeCommand(std::string_view body);
Result<Report> decodeReport(std::string_view body);

} // namespace tasuki::guardian
