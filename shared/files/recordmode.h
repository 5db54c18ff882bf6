// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/result.h"

#include <filesystem>

#include <sys/stat.h>
#include <sys/types.h>

namespace tasuki {

/// Who may read the files of a record besides their owner, who alone writes them: of all that tells what
/// tasks there are and what they have printed.
/// @return 0600 (nobody), or what TASUKI_READERS says: 0640 (group) or 0644 (all). An Error of kind Input:
///         it says something else
Result<mode_t> recordMode();

/// @return the mode for directories that are made for such files: recordMode(), and who may read may enter
Result<mode_t> recordDirectoryMode();

/// Makes a file that must not exist, not through a link, with this mode whatever the umask is.
/// @return a descriptor to read and write, close-on-exec; -1: errno says why there is none
int makeFile(const std::filesystem::path& path, mode_t mode);

/// Has a file that may be written later be its owner's alone whatever the umask is: makes it, and directories
/// that are missing; closes one of this user that is there to others. What cannot be done is left.
void keepForOwner(const std::filesystem::path& path);

/// Whether something that stands under a path is a stranger's: neither this user's, nor root's, nor of who
/// has the directory, who can do there as they like in any case. (On file systems of others, files of this
/// user may be shown as another one's; then the directory is, too.)
bool isOfStranger(const struct stat& found, const std::filesystem::path& path);

/// The same of what stands under the path now, be it a link. @return false: nothing does
bool isOfStranger(const std::filesystem::path& path);

/// What is said of it.
Error strangersFile(const std::filesystem::path& path);

} // namespace tasuki
