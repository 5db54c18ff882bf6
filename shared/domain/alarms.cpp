// SPDX-License-Identifier: GPL-3.0-or-later
#include "alarms.h"

#include <algorithm>

namespace tasuki {

std::optional<AlarmKind> alarmOf(const EventPayload& payload)
{
    if (const auto* health = std::get_if<HealthChanged>(&payload)) {
        const bool lost = health->health == Health::Lost || health->health == Health::Fenced;
        if (lost && health->cause != HealthCause::Ordered)
            return AlarmKind::ProcessorLost;
    } else if (std::holds_alternative<SeatVacated>(payload)) {
        return AlarmKind::SeatVacant;
    } else if (const auto* subcluster = std::get_if<SubclusterChanged>(&payload)) {
        if (subcluster->state == ClusterState::Down)
            return AlarmKind::SubclusterDown;
    } else if (const auto* notice = std::get_if<Notice>(&payload)) {
        if (notice->severity == Severity::Failure)
            return AlarmKind::Failure;
    }
    return std::nullopt;
}

void AlarmList::raise(Alarm alarm) { m_alarms.push_back(std::move(alarm)); }

Result<void> AlarmList::acknowledge(EventId id, WallTime at, const AlarmAcknowledged& event)
{
    const auto found = std::ranges::lower_bound(m_alarms, event.alarm, {}, &Alarm::id);
    if (found == m_alarms.end() || found->id != event.alarm)
        return Error{.kind = ErrorKind::Damaged,
                     .message = "event " + eventIdText(event.alarm)
                         + " is acknowledged but has raised no alarm"};
    found->acknowledgement = Acknowledgement{
        .event = id, .at = at, .who = event.who, .comment = event.comment, .until = event.until};
    return {};
}

const Alarm* AlarmList::find(EventId id) const
{
    const auto found = std::ranges::lower_bound(m_alarms, id, {}, &Alarm::id);
    return found == m_alarms.end() || found->id != id ? nullptr : &*found;
}

std::size_t AlarmList::unacknowledged(WallTime now) const
{
    return static_cast<std::size_t>(std::ranges::count_if(
        m_alarms, [now](const Alarm& alarm) { return !alarm.acknowledged(now); }));
}

} // namespace tasuki
