// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/clock.h"
#include "runfile/readablerecord.h"

#include <string>

namespace tasuki {

/// @return how old what was read of a record is, and who writes it, for people: one line
std::string recordAgeText(const std::string& runFile, const RecordAge& age, WallTime now);

} // namespace tasuki
