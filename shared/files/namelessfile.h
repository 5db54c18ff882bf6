// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "uniquefd.h"

#include <string>

namespace tasuki {

/// A file without a name: whatever becomes of this process, nothing of it is left behind.
/// @param directory  where it is made
/// @return to read and write; none, with errno: it cannot be made
UniqueFd namelessFile(const std::string& directory);

} // namespace tasuki
