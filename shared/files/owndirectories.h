// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <system_error>

#include <sys/types.h>

namespace tasuki {

inline constexpr mode_t ownersDirectoryMode = 0700;

/// Makes a directory, and those above it that are missing, for their owner alone, or with this mode, whatever
/// the umask is.
/// Those that are there stay as they are.
void makeOwnDirectories(const std::filesystem::path& path, std::error_code& error,
                        mode_t mode = ownersDirectoryMode);

} // namespace tasuki
