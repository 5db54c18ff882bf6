// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"

#include <filesystem>

namespace tasuki {

/// Whether a file is a run file that this program can use, told without changing anything: no
/// statement is run on it, so SQLite makes no side files and repairs nothing.
///
/// The bytes are read through SQLite's own descriptor. Opening and closing the file apart would
/// drop the POSIX locks that other connections of this process hold on it.

/// Checks that the path names a regular file that is not empty.
/// @return the path without symbolic links: SQLite's side files and the lock lie beside that one
Result<std::filesystem::path> locateRunFile(const std::filesystem::path& path);

/// @return an Error of kind Foreign for files of another program or a newer version
Result<void> checkHeader(const Database& database);

/// @return an Error of kind Damaged when the file is shorter than its header says. Not decidable
///         while a write-ahead log holds pages: then the damage shows when they are read.
Result<void> checkSize(const Database& database);

/// @return whether SQLite's log lies beside the file and holds something
bool hasWriteAheadLog(const std::filesystem::path& path);

} // namespace tasuki
