// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tasuki {

/// @return who sits here, "user@host", as agents are told
std::string operatorName();

} // namespace tasuki
