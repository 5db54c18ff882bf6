// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "domain/command.h"
#include "domain/event.h"
#include "domain/ids.h"
#include "domain/rankprogram.h"
#include "linkplans.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

/// What an agent and a window say to each other. PROTOCOL.md has the message table.
namespace tasuki::link {

/// 32 random bytes: token, nonce, or a proof made of them.
using Secret = std::array<std::uint8_t, 32>;

/// Peers of different major versions do not understand each other. Of two minor versions the
/// greater one says only what the smaller one knows.
struct ProtocolVersion {
    std::uint32_t major = 1;
    std::uint32_t minor = 10;
    bool operator==(const ProtocolVersion&) const = default;
};
inline constexpr ProtocolVersion protocolVersion{};
/// The first minor version that has plans.
inline constexpr std::uint32_t plansSinceMinor = 1;
/// The first minor version that has the events of the failure hierarchy and commands about it.
inline constexpr std::uint32_t systemSinceMinor = 2;

/// @return the first minor version that has a command
inline std::uint32_t sinceMinor(const OperatorCommand& command)
{
    return std::holds_alternative<AcknowledgeAlarms>(command)
            || std::holds_alternative<DrainProcessor>(command)
            || std::holds_alternative<StopProcessor>(command)
            || std::holds_alternative<PromoteProcessor>(command)
            || std::holds_alternative<ChangeTopology>(command)
            || std::holds_alternative<ChangeRole>(command)
        ? systemSinceMinor
        : 0;
}

// ---- window to agent

/// First message of a connection.
struct ClientHello {
    ProtocolVersion protocol;
    Secret nonce{};
    std::string programVersion; ///< of Tasuki
    std::string operatorName;   ///< who sits there, "user@host"
    std::string run;            ///< id of the run that is wanted; empty: whichever
    bool operator==(const ClientHello&) const = default;
};

/// Shows that the window knows the token.
struct ClientProof {
    Secret proof{};
    bool operator==(const ClientProof&) const = default;
};

/// Asks for the events after an id and for all that come. May be repeated: each begins a snapshot.
struct Subscribe {
    RunId run;     ///< of which `after` is; empty: the window knows nothing
    EventId after; ///< the latest event that the window has; 0.0: none
    bool operator==(const Subscribe&) const = default;
};

/// Numbers of requests are chosen by the window and come back in the reply.
struct CommandRequest {
    std::uint64_t number = 0;
    OperatorCommand command;
    bool operator==(const CommandRequest&) const = default;
};

struct OutputRequest {
    std::uint64_t number = 0;
    OutputQuery query;
    bool operator==(const OutputRequest&) const = default;
};

/// Asks for a task as it is now, with its whole command.
struct TaskRequest {
    std::uint64_t number = 0;
    TaskId id;
    bool operator==(const TaskRequest&) const = default;
};

struct Ping {
    std::uint64_t number = 0;
    bool operator==(const Ping&) const = default;
};

/// Everything that a window may say.
using ClientMessage =
    std::variant<ClientHello, ClientProof, Subscribe, CommandRequest, OutputRequest, TaskRequest,
                 Ping, PlanRequest, PlanPiece, PlanCancel>;

// ---- agent to window

/// Answer to ClientHello; shows that the agent knows the token.
struct ServerHello {
    ProtocolVersion protocol;
    Secret nonce{};
    std::string programVersion;
    Secret proof{};
    bool operator==(const ServerHello&) const = default;
};

/// The agent does not want the window, and closes the connection.
struct Refused {
    std::string reason; ///< one line for people
    bool operator==(const Refused&) const = default;
};

/// The window is in.
struct Welcome {
    RunId run;
    Epoch epoch;
    std::string runFile;   ///< absolute path on the agent's host
    std::string directory; ///< in which the agent was started
    std::string host;
    std::int64_t pid = 0;
    bool serve = false; ///< stays up when all is done and takes tasks from windows
    WallTime now{};     ///< by the agent's clock
    bool operator==(const Welcome&) const = default;
};

/// A snapshot begins: the events after `after` up to and including `upTo` follow, then SnapshotEnd.
struct SnapshotBegin {
    bool reset = false; ///< the window must forget all events that it has; then `after` is 0.0
    EventId after;
    EventId upTo;
    bool operator==(const SnapshotBegin&) const = default;
};

/// A task whose command is too long for the stream.
struct ShortenedCommand {
    std::size_t index = 0;          ///< of its event in Events::events
    std::uint64_t commandBytes = 0; ///< length of the whole command, which TaskRequest yields
    bool operator==(const ShortenedCommand&) const = default;
};

/// Events in their order, none left out. What attempts wrote is not in them, but how much it was.
struct Events {
    std::vector<Event> events;
    std::vector<ShortenedCommand> shortened; ///< by ascending index
    bool operator==(const Events&) const = default;
};

struct SnapshotEnd {
    EventId upTo; ///< as in SnapshotBegin
    bool operator==(const SnapshotEnd&) const = default;
};

/// The window reads too slowly: events after this one have not been sent. A snapshot follows.
struct Gap {
    EventId lastDelivered;
    bool operator==(const Gap&) const = default;
};

/// How the agent is now, in contrast to what has happened.
struct Status {
    WallTime now{};                         ///< by the agent's clock
    std::string phase;                      ///< a word, e.g. "running"
    std::string stalled;                    ///< why the run file cannot be written; empty: it can
    std::uint64_t slots = 0;                ///< of all present processors
    std::uint64_t outstanding = 0;          ///< attempts that are with processors
    std::uint64_t uncommitted = 0;          ///< events that are not in the run file yet
    bool recovery = false;                  ///< the launch survives the death of a processor
    std::vector<RankProgram> programs = {}; ///< of worlds, that run now
    bool operator==(const Status&) const = default;
};

/// Answer to CommandRequest. The events of an accepted command may come before or after it.
struct CommandReply {
    std::uint64_t number = 0;
    CommandAnswer answer;
    bool operator==(const CommandReply&) const = default;
};

/// Answer to OutputRequest. A piece may end before the stream does: ask again from its end.
struct OutputReply {
    std::uint64_t number = 0;
    OutputAnswer answer;
    bool operator==(const OutputReply&) const = default;
};

/// Answer to TaskRequest.
struct TaskReply {
    std::uint64_t number = 0;
    TaskId id;
    bool known = false;
    Task task; ///< meaningful when known; its settings are never null then
    bool operator==(const TaskReply&) const = default;
};

struct Pong {
    std::uint64_t number = 0;
    bool operator==(const Pong&) const = default;
};

/// The agent ends the connection on purpose.
struct Bye {
    std::string reason; ///< one line for people
    bool operator==(const Bye&) const = default;
};

/// Everything that an agent may say.
using AgentMessage = std::variant<ServerHello, Refused, Welcome, SnapshotBegin, Events, SnapshotEnd,
                                  Gap, Status, CommandReply, OutputReply, TaskReply, Pong, Bye,
                                  PlanProgress, PlanFound, PlanEnded>;

} // namespace tasuki::link
