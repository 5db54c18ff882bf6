// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tables.h"

#include "domain/systemwords.h"

#include <chrono>
#include <cstdint>
#include <optional>

#include "domain/ids.h"

namespace tasuki::hierarchy {

/// What was seen of a processor.
enum class Observation : std::uint8_t {
    Ready,     ///< MPI and its sockets are up
    Late,      ///< it has not been heard of for some time
    Back,      ///< heard again
    Silent,    ///< not heard for so long that it is given up
    Stuck,     ///< its main loop stands still
    Unwanted,  ///< an operator wants it to end
    Gone,      ///< its process has ended
    Unfenced,  ///< it was to be killed, but nobody who lives can
    LeaseOver, ///< it must have given itself up by now
    Left,      ///< it said goodbye
    Returned,  ///< it says that its life is over, and wants to be let in as another one
};
inline constexpr std::size_t observationCount = 11;

/// What a cluster master does with it.
enum class Action : std::uint8_t {
    None,
    Admit,   ///< it takes part
    Suspect, ///< nothing new is sent to it
    Clear,   ///< it is as good as before
    Fence,   ///< it is killed; when that is confirmed, it is buried
    Await,   ///< its lease is waited for
    Bury,    ///< it is lost; its seat is given on
    Part,    ///< it has left; its seat is given on
    Readmit, ///< it is a standby from now on, in its new life
};

/// @return what is done about an observation: docs/hierarchy.md, "What is seen, and what is
///         done"
Action actionFor(Observation what, Health health);
/// The same of a processor: who comes with a reserved number is let in as who comes back.
Action actionFor(Observation what, const MemberRow& row);

/// What becomes of a seat whose holder is no more.
enum class SeatAction : std::uint8_t {
    TakeOver, ///< a standby gets it
    Vacate,   ///< nobody is there for it now
    GiveUp,   ///< it stays empty
};

/// @param standby    there is one
/// @param intensity  one more takeover is within the limit
SeatAction seatActionFor(bool standby, bool intensity);

/// One observation, as it travels.
struct Observed {
    ProcessorId processor;
    Observation what = Observation::Ready;
    HealthCause cause = HealthCause::None;
    /// How long ago it was heard for the last time, or the end of its process was seen.
    std::chrono::microseconds since{};
    Life life = {}; ///< of the processor, as the observer knows it; of who returned: its new one
    bool operator==(const Observed&) const = default;

    /// Whether it is about the life that a table has of the processor, or ends that. Only the process that
    /// had that life ends it by coming back.
    [[nodiscard]] bool concerns(Life known) const
    {
        if (what != Observation::Returned)
            return life == Life() || life == known;
        return life > known && (known == reservedLife || arrivalOf(life) == arrivalOf(known));
    }
};

} // namespace tasuki::hierarchy
