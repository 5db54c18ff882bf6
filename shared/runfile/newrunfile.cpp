// SPDX-License-Identifier: GPL-3.0-or-later
#include "newrunfile.h"

#include "files/recordmode.h"
#include "files/uniquefd.h"

#include "freshfile.h"
#include "schema.h"

#include <sqlite3.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace {

constexpr const char* journal = "-journal";
constexpr std::array<const char*, 3> sideFiles{journal, "-wal", "-shm"};

Error nameTaken(const std::filesystem::path& path)
{
    return about(path, ErrorKind::Input, "exists already",
                 "go on with --resume, or choose another name with --run");
}

/// Removes a half-made file and what SQLite put beside it.
class Scaffold {
public:
    explicit Scaffold(std::filesystem::path path) : m_path(std::move(path)) { remove(); }
    Scaffold(const Scaffold&) = delete;
    Scaffold& operator=(const Scaffold&) = delete;
    ~Scaffold() { remove(); }

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    void remove() const
    {
        unlink(m_path.c_str());
        removeSideFiles(m_path);
    }
    std::filesystem::path m_path;
};

} // namespace

Result<std::filesystem::path> locateNew(const std::filesystem::path& path)
{
    std::error_code error;
    auto whole = std::filesystem::absolute(path, error);
    auto directory = error ? whole : std::filesystem::canonical(whole.parent_path(), error);
    if (error)
        return about(path, systemError("cannot be made", error.value()));
    if (whole.filename().empty() || std::filesystem::is_directory(whole, error))
        return about(path, ErrorKind::Input, "is a directory", "name a run file (NAME.tasuki)");
    return directory / whole.filename();
}

Result<void> checkNameIsFree(const std::filesystem::path& located,
                             const std::filesystem::path& asGiven)
{
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::symlink_status(located, error)))
        return nameTaken(asGiven);
    return {};
}

Result<WritableRunFile> makeRunFile(const std::filesystem::path& located, const RunId& run,
                                    const std::filesystem::path& asGiven)
{
    if (auto free = checkNameIsFree(located, asGiven); !free)
        return free.error();
    auto lock = AgentLock::acquire(located);
    if (!lock)
        return lock.error();
    removeSideFiles(located);
    // Made under another name first: a kill at any moment leaves no half run file.
    const Scaffold scaffold(std::filesystem::path(located.native() + ".new"));
    // SQLite gives what it makes beside a file the mode of that one.
    if (auto made = makeRecordFile(scaffold.path()); !made)
        return made.error();
    for (const std::filesystem::path& each : {scaffold.path(), located}) {
        if (auto own = checkSideFiles(each, SideFiles::JournalToo); !own)
            return own.error();
    }
    {
        auto database = Database::open(scaffold.path(), Database::Mode::Create);
        if (!database)
            return database.error();
        if (auto made = createSchema(*database, run); !made) {
            database->rollBack();
            return made.error();
        }
    }
    if (link(scaffold.path().c_str(), located.c_str()) != 0) {
        if (errno == EEXIST)
            return nameTaken(asGiven);
        // File systems without hard links (FAT): the lock keeps other agents off.
        if (auto free = checkNameIsFree(located, asGiven); !free)
            return free.error();
        if (rename(scaffold.path().c_str(), located.c_str()) != 0)
            return about(asGiven, systemError("cannot be made", errno));
    }
    syncFolderOf(located);
    auto database = Database::open(located, Database::Mode::ReadWrite);
    if (!database)
        return database.error();
    if (auto own = checkOpenLog(*database); !own)
        return own.error();
    return WritableRunFile{.lock = std::move(*lock), .database = std::move(*database), .run = run};
}

void removeSideFiles(const std::filesystem::path& located)
{
    for (const char* suffix : sideFiles)
        unlink((located.native() + suffix).c_str());
}

Result<void> makeRecordFile(const std::filesystem::path& path)
{
    const Result<mode_t> mode = recordMode();
    if (!mode)
        return mode.error();
    if (const UniqueFd made(makeFile(path, *mode)); !made) {
        const int number = errno;
        if (isOfStranger(path))
            return strangersFile(path);
        return about(path, systemError("cannot be made", number));
    }
    return {};
}

Result<void> checkSideFiles(const std::filesystem::path& located, SideFiles which)
{
    struct stat file {};
    const bool there = ::stat(located.c_str(), &file) == 0;
    for (const char* suffix : sideFiles) {
        if (suffix == journal && which == SideFiles::LogAlone)
            continue;
        const std::filesystem::path side = located.native() + suffix;
        struct stat found {};
        if (::lstat(side.c_str(), &found) == 0 && isOfStranger(found, side)
            && !(there && found.st_uid == file.st_uid))
            return strangersFile(side);
    }
    return {};
}

Result<void> checkJournal(Database& database)
{
    auto mode = database.prepare("PRAGMA journal_mode");
    if (!mode)
        return mode.error();
    if (mode->step() == SQLITE_ROW && mode->bytes(0) == "wal")
        return {};
    return checkSideFiles(database.path(), SideFiles::JournalToo);
}

Result<void> checkOpenLog(Database& database)
{
    // What opens the log.
    if (auto read = database.integer("SELECT count(*) FROM sqlite_schema"); !read)
        return read.error();
    return checkSideFiles(database.path(), SideFiles::LogAlone);
}

} // namespace tasuki
