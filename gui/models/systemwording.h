// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/event.h"
#include "domain/systemstate.h"

#include <QString>

namespace tasuki {

/// How an event of the failure hierarchy appears in a list, in the language of the user.
struct SystemEventText {
    QString subject = {};
    QString text = {};
    Severity severity = Severity::Information;
    bool notable = true; ///< not only for those who want to see everything
};

/// One function an event kind.
struct SystemEventDescriber {
    const SystemState& system; ///< after the event

    SystemEventText operator()(const SystemLaidOut& event) const;
    SystemEventText operator()(const SystemStarted& event) const;
    SystemEventText operator()(const HealthChanged& event) const;
    SystemEventText operator()(const SeatTaken& event) const;
    SystemEventText operator()(const SeatVacated& event) const;
    SystemEventText operator()(const MasterChanged& event) const;
    SystemEventText operator()(const SubclusterChanged& event) const;
    SystemEventText operator()(const AlarmAcknowledged& event) const;
    SystemEventText operator()(const ProcessorDrained& event) const;
    SystemEventText operator()(const ProcessorOrdered& event) const;
    SystemEventText operator()(const RunEnding& event) const;
};

} // namespace tasuki
