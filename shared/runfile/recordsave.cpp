// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordsave.h"

#include "files/uniquefd.h"
#include "files/wholefile.h"

#include "freshfile.h"
#include "newrunfile.h"

#include <sqlite3.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <optional>
#include <system_error>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

Error saveError(const fs::path& path, const char* what, int number)
{
    return about(path, systemError(what, number));
}

/// A record that is written has a log and an index of it, for which the file's header says so: readers
/// would make both anew.
Result<void> markAsPlain(const fs::path& path)
{
    constexpr off_t versionsAt = 18; // of the format, to write and to read
    constexpr std::array<char, 2> rollback{1, 1};
    const UniqueFd file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (!file)
        return saveError(path, "cannot be opened", errno);
    const bool done = ::pwrite(file.get(), rollback.data(), rollback.size(), versionsAt)
            == static_cast<ssize_t>(rollback.size())
        && ::fsync(file.get()) == 0;
    return done ? Result<void>() : saveError(path, "cannot be written", errno);
}

Result<void> backUp(Database& record, const fs::path& to)
{
    constexpr int allPages = -1;
    auto target = Database::open(to, Database::Mode::Unshared);
    if (!target)
        return target.error();
    if (auto set = target->execute("PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF"); !set)
        return set;
    sqlite3_backup* const backup = sqlite3_backup_init(target->handle(), "main", record.handle(),
                                                       "main");
    if (backup == nullptr)
        return target->lastError("cannot be written");
    sqlite3_backup_step(backup, allPages);
    return sqlite3_backup_finish(backup) == SQLITE_OK ? Result<void>()
                                                      : target->lastError("cannot be written");
}

/// A draft that is gone unless it has become the file.
class Draft {
public:
    explicit Draft(fs::path path) : m_path(std::move(path)) { ::unlink(m_path.c_str()); }
    Draft(const Draft&) = delete;
    Draft& operator=(const Draft&) = delete;
    ~Draft() { ::unlink(m_path.c_str()); }
    [[nodiscard]] const fs::path& path() const { return m_path; }

private:
    fs::path m_path;
};

Result<void> makePlain(Database& record, const fs::path& to)
{
    if (auto made = makeRecordFile(to); !made)
        return made;
    if (auto done = backUp(record, to); !done)
        return done;
    return markAsPlain(to);
}

Result<void> putUnder(const fs::path& draft, const fs::path& to)
{
    if (::rename(draft.c_str(), to.c_str()) != 0)
        return saveError(to, "cannot be made", errno);
    syncFolderOf(to);
    return {};
}

struct Seen {
    std::uint64_t size = 0;
    std::int64_t changedUs = 0;
    FreshFile::Identity identity;
    bool operator==(const Seen&) const = default;
};

Seen seenOf(const FreshFile& file)
{
    return {.size = file.size(), .changedUs = file.changedUs(), .identity = file.identity()};
}

std::optional<Seen> look(const fs::path& path)
{
    const auto file = FreshFile::open(path);
    return file ? std::optional(seenOf(*file)) : std::nullopt;
}

/// @return none: there is no such file
Result<std::optional<Seen>> copyBytes(const fs::path& from, const fs::path& to)
{
    constexpr std::size_t blockBytes = std::size_t{1} << 20U;
    constexpr mode_t own = 0600;
    const auto file = FreshFile::open(from);
    if (!file) {
        std::error_code error;
        if (!fs::exists(from, error))
            return std::optional<Seen>();
        return file.error();
    }
    const UniqueFd copy(::open(to.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, own));
    if (!copy)
        return saveError(to, "cannot be made", errno);
    file->dropKept();
    std::vector<char> block(blockBytes);
    std::uint64_t offset = 0;
    while (offset < file->size()) {
        const std::size_t wanted = std::min<std::uint64_t>(blockBytes, file->size() - offset);
        const std::size_t count = file->read(offset, block.data(), wanted);
        if (count == 0)
            break;
        if (!writeAll(copy.get(), std::string_view(block.data(), count)))
            return saveError(to, "cannot be written", errno);
        offset += count;
    }
    return std::optional(seenOf(*file));
}

} // namespace

Result<void> saveRecord(Database& record, const fs::path& to)
{
    const Draft draft(to.native() + ".saving");
    if (auto made = makePlain(record, draft.path()); !made)
        return made;
    return putUnder(draft.path(), to);
}

Result<void> publishRecord(Database& record, const fs::path& to, const Publishing& publishing)
{
    const Draft draft(draftOf(to, publishing.mark));
    if (auto made = makePlain(record, draft.path()); !made)
        return made;
    if (auto allowed = publishing.allowed(); !allowed)
        return allowed;
    removeSideFiles(to);
    return putUnder(draft.path(), to);
}

fs::path nameToSave(const fs::path& runFile)
{
    std::error_code error;
    const std::string begin = (runFile.parent_path() / runFile.stem()).native() + ".saved";
    fs::path name = begin + runFile.extension().native();
    for (int number = 2; fs::exists(fs::symlink_status(name, error)); ++number)
        name = begin + '-' + std::to_string(number) + runFile.extension().native();
    return name;
}

Result<std::int64_t> copyAsItIs(const fs::path& from, const fs::path& to)
{
    constexpr int rounds = 10;
    constexpr std::chrono::milliseconds pause{50};
    const fs::path log = from.native() + "-wal";
    for (int round = 0; round < rounds; ++round) {
        if (round != 0)
            std::this_thread::sleep_for(pause);
        const auto file = copyBytes(from, to);
        const auto ofLog = copyBytes(log, to.native() + "-wal");
        if (!file || !ofLog)
            return file ? ofLog.error() : file.error();
        if (!*file)
            return saveError(from, "cannot be opened", ENOENT);
        if (!*ofLog)
            ::unlink((to.native() + "-wal").c_str());
        // A checkpoint moves pages from the log to the file, and then the log begins anew.
        if (look(from) == *file && look(log) == *ofLog)
            return *ofLog ? std::max((*file)->changedUs, (*ofLog)->changedUs) : (*file)->changedUs;
    }
    return about(from, ErrorKind::InUse,
                 "is being written in place by another host, faster than it can be read",
                 "read it on that host");
}

} // namespace tasuki
