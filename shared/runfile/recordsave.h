// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "writercheck.h"

#include <filesystem>

namespace tasuki {

/// Puts all that a record holds into a plain SQLite file without side files, whole or not at all, in the
/// place of what stands there. Needs neither locks nor memory maps where the file lies.
Result<void> saveRecord(Database& record, const std::filesystem::path& to);
/// The same, unless its writer has been succeeded. What SQLite has left beside a file that stood there before
/// is removed. Precondition: no SQLite file stands there.
Result<void> publishRecord(Database& record, const std::filesystem::path& to,
                           const Publishing& publishing);

/// A name beside a run file that is free: w.tasuki, w.saved.tasuki, w.saved-2.tasuki, ...
std::filesystem::path nameToSave(const std::filesystem::path& runFile);

/// Takes a file without its log, or with it, as a file of its own. The original is only read, and read
/// again when it has changed meanwhile.
/// @return when it was last written, in microseconds since 1970-01-01; an Error of kind InUse: it changes all
///         the time
Result<std::int64_t> copyAsItIs(const std::filesystem::path& from, const std::filesystem::path& to);

} // namespace tasuki
