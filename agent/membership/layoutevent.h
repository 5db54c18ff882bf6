// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "systemplan.h"

#include "control/controladdress.h"
#include "domain/systemlayout.h"

#include <vector>

namespace tasuki {

/// @param addresses  of the processors, by number
/// @return the layout as the record tells it, with the first holders of the seats
SystemLaidOut layoutEvent(const SystemPlan& plan,
                          const std::vector<control::ControlAddress>& addresses);

} // namespace tasuki
