// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "rankmessages.h"
#include "repetition.h"

#include "domain/ids.h"

#include <cstdint>
#include <map>

namespace tasuki::farm {

/// A rank as its group scheduler sees it.
struct Hand {
    enum class State : std::uint8_t {
        Vacant,  ///< nobody holds it
        Called,  ///< its holder has not answered the resynchronisation call, or was not called yet
        Present, ///< its holder has been welcomed
    };
    State state = State::Vacant;
    ProcessorId holder;
    Incarnation incarnation;
    bool open = true;
    bool told = false;     ///< the master knows of the holding, or is about to
    LeadershipNumber call; ///< the leadership of its resynchronisation call
    Repetition calls;
    Hello hello;
};
using Hands = std::map<Rank, Hand>;

} // namespace tasuki::farm
