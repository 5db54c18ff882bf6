// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/runstate.h"

#include <QtGlobal>

#include <vector>

namespace tasuki {

/// @return the state that a record gives; one that cannot be read back ends the test
inline RunState replayed(const std::vector<Event>& record)
{
    RunState state;
    for (const Event& event : record) {
        if (const Result<void> applied = state.apply(event); !applied)
            qFatal("%s", applied.error().text().c_str());
    }
    return state;
}

} // namespace tasuki
