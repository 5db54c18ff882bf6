// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <filesystem>

#include <sys/types.h>

namespace tasuki {

/// Who may read the files of a record besides their owner, who alone writes them.
/// @return 0600 (nobody), or what TASUKI_READERS says: 0640 (group) or 0644 (all). An Error of kind Input:
///         it says something else
Result<mode_t> recordMode();

/// Makes a file that must not exist, not through a link, with this mode whatever the umask is.
/// @return a descriptor to read and write, close-on-exec; -1: errno says why there is none
int makeFile(const std::filesystem::path& path, mode_t mode);

} // namespace tasuki
