// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tasuki {

/// Who sits at a window or gives a command, "user@host", as agents are told and the record names them.
std::string operatorName();

} // namespace tasuki
