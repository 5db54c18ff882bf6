// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <filesystem>
#include <system_error>

namespace tasuki {

/// Makes a directory, and those above it that are missing, for their owner alone whatever the umask is.
/// Those that are there stay as they are.
void makeOwnDirectories(const std::filesystem::path& path, std::error_code& error);

} // namespace tasuki
