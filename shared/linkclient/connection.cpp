// SPDX-License-Identifier: GPL-3.0-or-later
#include "connection.h"

#include <algorithm>
#include <array>

namespace tasuki {

namespace {

struct Transition {
    ConnectionState from;
    ConnectionInput input;
    ConnectionState to;
};

using S = ConnectionState;
using I = ConnectionInput;

constexpr std::array transitions{
    Transition{S::Idle, I::Open, S::Connecting},
    Transition{S::Idle, I::OpenFile, S::Offline},
    Transition{S::Connecting, I::Reached, S::Greeting},
    Transition{S::Connecting, I::Lost, S::Waiting},
    Transition{S::Connecting, I::Refuse, S::Refused},
    Transition{S::Greeting, I::Welcomed, S::CatchingUp},
    Transition{S::Greeting, I::Lost, S::Waiting},
    Transition{S::Greeting, I::Refuse, S::Refused},
    Transition{S::Greeting, I::Bye, S::Ended},
    Transition{S::CatchingUp, I::CaughtUp, S::Live},
    Transition{S::CatchingUp, I::Gap, S::CatchingUp},
    Transition{S::CatchingUp, I::Lost, S::Waiting},
    Transition{S::CatchingUp, I::Refuse, S::Refused},
    Transition{S::CatchingUp, I::Bye, S::Ended},
    Transition{S::Live, I::CaughtUp, S::Live},
    Transition{S::Live, I::Gap, S::CatchingUp},
    Transition{S::Live, I::Lost, S::Waiting},
    Transition{S::Live, I::Refuse, S::Refused},
    Transition{S::Live, I::Bye, S::Ended},
    Transition{S::Waiting, I::Retry, S::Connecting},
    Transition{S::Waiting, I::Refuse, S::Refused},
    Transition{S::Refused, I::Retry, S::Connecting},
    Transition{S::Ended, I::Retry, S::Connecting},
    Transition{S::Offline, I::Refuse, S::Refused},
};

} // namespace

std::optional<ConnectionState> ConnectionMachine::next(ConnectionState state, ConnectionInput input)
{
    if (input == ConnectionInput::Close)
        return ConnectionState::Idle;
    const auto found = std::ranges::find_if(transitions, [&](const Transition& transition) {
        return transition.from == state && transition.input == input;
    });
    if (found == transitions.end())
        return std::nullopt;
    return found->to;
}

bool ConnectionMachine::take(ConnectionInput input)
{
    const auto to = next(m_state, input);
    if (!to)
        return false;
    m_state = *to;
    return true;
}

} // namespace tasuki
