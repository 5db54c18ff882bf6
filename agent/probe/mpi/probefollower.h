// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "probechannel.h"

namespace tasuki::probe {

/// What every rank but 0 does in a probe: as rank 0 orders, until it may leave.
void followProbe(ProbeChannel& channel);

/// @return the words of an order to lead or to follow
std::vector<std::uint64_t> exchangeWords(int peer, const std::vector<Exchange>& exchanges);

} // namespace tasuki::probe
