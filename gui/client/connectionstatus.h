// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "linkclient/connection.h"

#include <QString>

#include <cstdint>
#include <optional>

namespace tasuki {

/// What is told to the operator of a connection.
struct ConnectionStatus {
    ConnectionState state = ConnectionState::Idle;
    /// Of Waiting and Refused, one line for people; of Offline, how old what another host writes is; else
    /// empty.
    QString reason;
    std::optional<SteadyTime> nextTry; ///< of Waiting
    std::uint32_t failures = 0;        ///< tries in a row that did not lead to Live
    bool operator==(const ConnectionStatus&) const = default;

    /// Whether events can come in this state.
    [[nodiscard]] bool isReading() const
    {
        return state == ConnectionState::CatchingUp || state == ConnectionState::Live
            || state == ConnectionState::Offline;
    }
};

} // namespace tasuki
