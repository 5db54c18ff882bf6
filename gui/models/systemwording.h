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

/// @param system  after the event
/// @return the words for an event of a described kind (domain/eventfields.h)
SystemEventText systemEventText(const EventPayload& event, const SystemState& system);

} // namespace tasuki
