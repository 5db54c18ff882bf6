// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace tasuki::steering {

/// Who gives a command, as the record shall name them: user@host.
std::string operatorName();

} // namespace tasuki::steering
