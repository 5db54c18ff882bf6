// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "event.h"
#include "result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace tasuki {

/// What an alarm is about.
enum class AlarmKind : std::uint8_t {
    ProcessorLost, ///< HealthChanged
    SeatVacant,    ///< SeatVacated
    SubclusterDown,
    Failure, ///< a Notice
};

/// What an operator has said to an alarm.
struct Acknowledgement {
    EventId event; ///< that recorded it
    WallTime at{};
    std::string who;
    std::string comment;
    std::optional<WallTime> until = {};
};

/// Something that an operator should look after. It is identified by the event that raised it.
struct Alarm {
    EventId id;
    WallTime at{};
    AlarmKind kind = AlarmKind::Failure;
    /// Failure, or Warning for the loss of a processor that held no seat.
    Severity severity = Severity::Failure;
    /// Number of the processor, seat or subcluster in the layout of that epoch; 0 for a notice.
    std::uint32_t subject = 0;
    std::optional<Acknowledgement> acknowledgement = {}; ///< the latest, which may have expired

    /// @return whether it is acknowledged at a time of the wall clock
    [[nodiscard]] bool acknowledged(WallTime now) const
    {
        return acknowledgement && (!acknowledgement->until || now < *acknowledgement->until);
    }
};

/// @return what alarm an event raises: none for most. Alarms are not events of their own.
std::optional<AlarmKind> alarmOf(const EventPayload& payload);

/// The alarms of all epochs of a run, the oldest first.
class AlarmList {
public:
    /// Precondition: its id is greater than those of all before.
    void raise(Alarm alarm);
    /// @return an Error of kind Damaged when there is no such alarm
    Result<void> acknowledge(EventId id, WallTime at, const AlarmAcknowledged& event);

    [[nodiscard]] const std::vector<Alarm>& all() const { return m_alarms; }
    /// @return the alarm that an event raised; null: it raised none
    [[nodiscard]] const Alarm* find(EventId id) const;
    /// How many have no acknowledgement that holds at a time of the wall clock.
    [[nodiscard]] std::size_t unacknowledged(WallTime now) const;

private:
    std::vector<Alarm> m_alarms;
};

} // namespace tasuki
