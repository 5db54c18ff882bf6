// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace tasuki {

/// How who follows a run stands to it.
enum class ConnectionState : std::uint8_t {
    Idle,       ///< not opened, or closed again
    Connecting, ///< looks for the agent and opens a socket
    Greeting,   ///< proves itself and compares versions
    CatchingUp, ///< receives what it has missed
    Live,       ///< shows what is
    Waiting,    ///< lost the agent, tries again at ConnectionStatus::nextTry
    Refused,    ///< a reason that trying again does not mend; see ConnectionStatus::reason
    Ended,      ///< the agent said goodbye
    Offline,    ///< reads a run file
};
inline constexpr std::size_t connectionStateCount = 9;

/// What moves a connection from one state to another.
enum class ConnectionInput : std::uint8_t {
    Open,     ///< somebody wants the run of an agent
    OpenFile, ///< somebody wants a run file
    Reached,  ///< a socket is open
    Welcomed, ///< both sides have proved themselves, the versions fit
    CaughtUp, ///< all that had happened has been received
    Gap,      ///< the agent left events out, a snapshot follows
    Lost,     ///< no agent found, or its connection ended, fell silent or made no sense
    Retry, ///< the time has come, a new access file is there, or the operator does not want to wait
    Refuse, ///< the other side, or the file, cannot be used
    Bye,    ///< the agent ends
    Close,  ///< nobody wants the run any more
};
inline constexpr std::size_t connectionInputCount = 11;

/// The state machine of a connection. An input that is not listed cannot come in the state, and
/// changes nothing.
///
///   state      | input     | next
///   -----------+-----------+------------
///   Idle       | Open      | Connecting
///              | OpenFile  | Offline
///   Connecting | Reached   | Greeting
///              | Lost      | Waiting
///              | Refuse    | Refused
///   Greeting   | Welcomed  | CatchingUp
///              | Lost      | Waiting
///              | Refuse    | Refused
///              | Bye       | Ended
///   CatchingUp | CaughtUp  | Live
///              | Gap       | CatchingUp
///              | Lost      | Waiting
///              | Refuse    | Refused
///              | Bye       | Ended
///   Live       | CaughtUp  | Live
///              | Gap       | CatchingUp
///              | Lost      | Waiting
///              | Refuse    | Refused
///              | Bye       | Ended
///   Waiting    | Retry     | Connecting
///              | Refuse    | Refused
///   Refused    | Retry     | Connecting
///   Ended      | Retry     | Connecting
///   Offline    | Refuse    | Refused
///   all        | Close     | Idle
class ConnectionMachine {
public:
    [[nodiscard]] ConnectionState state() const { return m_state; }
    /// @return whether the input can come in this state; the state follows the table
    bool take(ConnectionInput input);
    /// @return what the table says; none: "-"
    static std::optional<ConnectionState> next(ConnectionState state, ConnectionInput input);

private:
    ConnectionState m_state = ConnectionState::Idle;
};

} // namespace tasuki
