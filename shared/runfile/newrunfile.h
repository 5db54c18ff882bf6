// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"
#include "domain/result.h"
#include "openfile.h"

#include <cstdint>
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

/// Makes an empty file for a record, under a name that is free; nobody else can open it but for whom
/// recordMode() says.
Result<void> makeRecordFile(const std::filesystem::path& path);

/// What is looked at beside a database. Who reads, or writes one that has a log, needs no journal, and a
/// stranger's is not seen there.
enum class SideFiles : std::uint8_t { LogAlone, JournalToo };

/// Whether what SQLite would take for a file's log or journal is of its owner: a stranger's would be read into
/// the record, or get all that is written.
/// @return an Error that names what is not
Result<void> checkSideFiles(const std::filesystem::path& located, SideFiles which);

/// Before a database is written that may have no log yet.
Result<void> checkJournal(Database& database);

/// checkSideFiles() when the log is open.
Result<void> checkOpenLog(Database& database);

} // namespace tasuki
