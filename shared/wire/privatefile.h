// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>

namespace tasuki::link {

/// Makes a directory that its owner alone can use, or finds that it is one.
/// @return an Error when it is a symbolic link, another user's, or open to others
Result<void> makePrivateDirectory(const std::filesystem::path& directory);
/// Makes that directory, or, where its name is taken by something else, a new one whose name begins so.
/// @return the one that it is
Result<std::filesystem::path> makePrivateDirectoryLike(const std::filesystem::path& wanted);

/// Writes a file whole or not at all, under a temporary name at first; mode 0600. Replaces what
/// has the name.
Result<void> writePrivateFile(const std::filesystem::path& path, std::string_view bytes);

/// Reads a regular file of this user that nobody else can read; follows no symbolic link.
/// @param limit  a larger file is an Error of kind Foreign
Result<std::string> readPrivateFile(const std::filesystem::path& path, std::size_t limit);

} // namespace tasuki::link
