// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"
#include "files/uniquefd.h"
#include "wire/accessfile.h"

namespace tasuki::relay {

/// Connects to an agent of this host: its Unix socket or, when that cannot be reached, TCP on the loopback. Blocks.
/// @return an Error of kind System
Result<UniqueFd> connectToAgent(const link::AccessFile& access);

} // namespace tasuki::relay
