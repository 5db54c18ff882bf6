// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"
#include "domain/result.h"
#include "openfile.h"

#include <filesystem>

namespace tasuki {

/// Where a file would be: with the directory's links resolved, but not the file's own name.
Result<std::filesystem::path> locateNew(const std::filesystem::path& path);

/// @return an Error of kind Input when something has that name
Result<void> checkNameIsFree(const std::filesystem::path& located,
                             const std::filesystem::path& asGiven);

/// Makes a run file, which appears under its name whole or not at all.
/// @param located  by locateNew()
Result<WritableRunFile> makeRunFile(const std::filesystem::path& located, const RunId& run,
                                    const std::filesystem::path& asGiven);

/// Removes what SQLite has left beside a name under which there is no file any more: it would be taken for
/// the log of the next one.
void removeSideFiles(const std::filesystem::path& located);

} // namespace tasuki
