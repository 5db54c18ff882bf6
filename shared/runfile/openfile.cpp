// SPDX-License-Identifier: GPL-3.0-or-later
#include "openfile.h"

#include "fileheader.h"
#include "newrunfile.h"
#include "schema.h"

#include <sqlite3.h>

#include <utility>

namespace tasuki {

namespace {

/// What a commit that is under way takes at most; who holds the file for longer stands still.
constexpr std::chrono::milliseconds seizedPatience{500};

Result<Database> openKnown(const std::filesystem::path& located,
                           const std::filesystem::path& asGiven)
{
    if (auto own = checkSideFiles(located, SideFiles::LogAlone); !own)
        return own.error();
    auto database = Database::open(located, Database::Mode::ReadWrite);
    if (!database)
        return database.error();
    if (auto known = checkHeader(*database); !known)
        return known.error();
    if (sqlite3_db_readonly(database->handle(), "main") != 0)
        return about(asGiven, ErrorKind::System, "cannot be written: permission denied");
    return database;
}

Result<WritableRunFile> withLock(Database database, AgentLock lock)
{
    if (auto whole = checkSize(database); !whole)
        return whole.error();
    auto run = readRunId(database);
    if (!run)
        return run.error();
    if (auto own = checkJournal(database); !own)
        return own.error();
    // One that was published as a plain file has none.
    if (auto logged = database.execute("PRAGMA journal_mode = WAL"); !logged)
        return logged.error();
    if (auto own = checkOpenLog(database); !own)
        return own.error();
    return WritableRunFile{
        .lock = std::move(lock), .database = std::move(database), .run = std::move(*run)};
}

} // namespace

Result<WritableRunFile> openToWrite(const std::filesystem::path& path)
{
    auto located = locateRunFile(path);
    if (!located)
        return located.error();
    auto database = openKnown(*located, path);
    if (!database)
        return database.error();
    auto lock = AgentLock::acquire(*located);
    if (!lock)
        return lock.error();
    return withLock(std::move(*database), std::move(*lock));
}

Result<WritableRunFile> openToSucceed(const std::filesystem::path& path, const RunId& run,
                                      const TokenWish& wish)
{
    auto located = locateRunFile(path);
    if (!located)
        return located.error();
    auto database = openKnown(*located, path);
    if (!database)
        return database.error();
    database->setPatience(seizedPatience);
    const auto found = readRunId(*database);
    if (!found)
        return found.error();
    if (*found != run)
        return recordOfAnother(*found, run, path);
    const auto present = readToken(*database);
    if (!present)
        return present.error();
    if (auto right = wish.after(*present); !right)
        return about(path, right.error());
    auto lock = AgentLock::seize(*located);
    if (!lock)
        return lock.error();
    return withLock(std::move(*database), std::move(*lock));
}

Error recordOfAnother(const RunId& found, const RunId& wanted, const std::filesystem::path& path)
{
    return about(path, ErrorKind::Foreign,
                 "is the record of run " + found.hex + ", not of run " + wanted.hex);
}

Result<Database> openAtRest(const std::filesystem::path& path)
{
    auto database = Database::open(path, Database::Mode::Immutable);
    if (!database)
        return database;
    if (auto known = checkHeader(*database); !known)
        return known.error();
    if (auto whole = checkSize(*database); !whole)
        return whole.error();
    return database;
}

/// SQLite keeps an index of the log beside the file and so needs a directory that it can write; a
/// file without a log can be read without one.
Result<Database> openToRead(const std::filesystem::path& path)
{
    if (auto own = checkSideFiles(path, SideFiles::LogAlone); !own)
        return own.error();
    auto database = Database::open(path, Database::Mode::ReadWrite);
    if (!database)
        return database;
    if (auto known = checkHeader(*database); !known)
        return known.error();
    if (auto whole = checkSize(*database); !whole)
        return whole.error();
    auto probed = database->execute("PRAGMA query_only = 1; SELECT 1 FROM sqlite_schema");
    if (probed)
        return database;
    const int code = sqlite3_errcode(database->handle())
        & 0xFF; // without SQLite's finer distinctions
    if (code != SQLITE_CANTOPEN && code != SQLITE_READONLY)
        return probed.error();
    if (hasWriteAheadLog(path)) {
        Error error = probed.error();
        error.message = "cannot be read in a directory that cannot be written, because an agent "
                        "left a log beside it or is writing it";
        error.remedy = "copy " + path.filename().string() + " and " + path.filename().string()
            + "-wal to a directory of yours";
        return error;
    }
    return Database::open(path, Database::Mode::Immutable);
}

} // namespace tasuki
