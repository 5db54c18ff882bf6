// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordsite.h"

#include "files/owndirectories.h"
#include "files/recordmode.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <unistd.h>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

/// File systems of which no other host has a view of its own; numbers as in statfs(2).
constexpr std::array<std::uint32_t, 19> localFileSystems{
    0xEF53,     // ext2 to ext4
    0x58465342, // xfs
    0x9123683E, // btrfs
    0x01021994, // tmpfs
    0x858458F6, // ramfs
    0x794C7630, // overlayfs
    0xF2F52010, // f2fs
    0x2FC12FC1, // zfs
    0xCA451A4E, // bcachefs
    0x3153464A, // jfs
    0x52654973, // reiserfs
    0x3434,     // nilfs
    0x4D44,     // fat
    0x2011BAB0, // exfat
    0x7366746E, // ntfs3
    0x24051905, // ubifs
    0x72B6,     // jffs2
    0xF15F,     // ecryptfs
    0x73717368, // squashfs
};

bool isOfThisNode(const fs::path& directory)
{
    struct statfs found {};
    return ::statfs(directory.c_str(), &found) == 0
        && std::ranges::find(localFileSystems, static_cast<std::uint32_t>(found.f_type))
        != localFileSystems.end();
}

std::string_view setting(const char* name)
{
    const char* const value = std::getenv(name); // NOLINT(concurrency-mt-unsafe)
    return value != nullptr ? value : "";
}

bool isOwnDirectory(const fs::path& path)
{
    constexpr mode_t othersMode = 0077;
    struct stat found {};
    return ::lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode)
        && found.st_uid == ::geteuid() && (found.st_mode & othersMode) == 0
        && ::access(path.c_str(), R_OK | W_OK | X_OK) == 0;
}

/// @return a directory of this user under a name that nobody can take beforehand: the one that was made the
///         last time, or a new one
std::optional<fs::path> directoryLike(const fs::path& path)
{
    std::error_code error;
    const std::string begin = path.filename().native() + '-';
    for (fs::directory_iterator entry(path.parent_path(), error), end; !error && entry != end;
         entry.increment(error)) {
        if (entry->path().filename().native().starts_with(begin) && isOwnDirectory(entry->path()))
            return entry->path();
    }
    std::string other = path.native() + "-XXXXXX";
    return ::mkdtemp(other.data()) != nullptr ? std::optional(fs::path(other)) : std::nullopt;
}

/// @return a directory that is this user's alone; it may have been there
Result<fs::path> ownDirectory(const fs::path& in)
{
    constexpr mode_t ownMode = 0700;
    const fs::path path = in / ("tasuki-" + std::to_string(::geteuid()));
    if (::mkdir(path.c_str(), ownMode) != 0 && errno != EEXIST)
        return about(path, systemError("no directory can be made for the live record", errno));
    if (isOwnDirectory(path))
        return path;
    struct stat found {};
    if (::lstat(path.c_str(), &found) == 0 && found.st_uid != ::geteuid()) {
        if (const auto other = directoryLike(path))
            return *other;
    }
    return about(path, ErrorKind::System, "is not a directory of this user alone",
                 "remove it, or name another directory with TASUKI_LOCAL_DIR");
}

} // namespace

Result<RecordLay> layOf(const fs::path& file)
{
    const std::string_view wanted = setting("TASUKI_RECORD");
    if (wanted == "in-place")
        return RecordLay::InPlace;
    if (wanted == "shipped")
        return RecordLay::Shipped;
    if (!wanted.empty())
        return Error{.kind = ErrorKind::Input,
                     .message = "TASUKI_RECORD is '" + std::string(wanted) + "'",
                     .remedy = "expected in-place or shipped, or leave it out"};
    const Result<mode_t> mode = recordMode();
    if (!mode)
        return mode.error();
    // Who may read a database that is written can lock it, and so make its writer wait for ever.
    constexpr mode_t othersMode = 0077;
    if ((*mode & othersMode) != 0)
        return RecordLay::Shipped;
    const fs::path directory = file.parent_path();
    return isOfThisNode(directory.empty() ? fs::path(".") : directory) ? RecordLay::InPlace
                                                                       : RecordLay::Shipped;
}

Result<fs::path> localRecords()
{
    if (const fs::path wanted = setting("TASUKI_LOCAL_DIR"); !wanted.empty()) {
        std::error_code error;
        const fs::path whole = fs::absolute(wanted, error);
        makeOwnDirectories(whole, error);
        return ownDirectory(whole);
    }
    for (const fs::path& place : {fs::path(setting("TMPDIR")), fs::path("/var/tmp"),
                                  fs::path("/tmp"), fs::path("/dev/shm")}) {
        if (!place.is_absolute() || !isOfThisNode(place))
            continue;
        if (auto found = ownDirectory(place); found)
            return found;
    }
    return Error{.message = "there is no directory of this node for the live record",
                 .remedy = "name one with TASUKI_LOCAL_DIR"};
}

Result<void> makeLocalRecords(const fs::path& directory)
{
    if (::mkdir(directory.c_str(), ownersDirectoryMode) != 0 && errno != EEXIST)
        return about(directory, systemError("cannot be made", errno));
    if (isOwnDirectory(directory) && isOfThisNode(directory))
        return {};
    return about(directory, ErrorKind::System,
                 "is not a directory of this user and this node alone");
}

LocalPlace localPlaceOf(const fs::path& localRecords, const RunId& run)
{
    return {localRecords / run.hex};
}

std::optional<LocalPlace> localPlaceOf(const fs::path& localRecords, const fs::path& named)
{
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(localRecords, error)) {
        const LocalPlace place{entry.path()};
        const auto origin = place.origin();
        if (origin && origin->named == named.native())
            return place;
    }
    return std::nullopt;
}

std::optional<LocalPlace::Origin> LocalPlace::origin() const
{
    std::error_code error;
    if (!fs::is_regular_file(record(), error))
        return std::nullopt;
    std::ifstream file(directory / "origin", std::ios::binary);
    Origin origin;
    if (!std::getline(file, origin.token) || !std::getline(file, origin.named, '\0'))
        return std::nullopt;
    return origin;
}

Result<void> LocalPlace::tellOrigin(const Origin& origin) const
{
    std::ofstream file(directory / "origin", std::ios::binary | std::ios::trunc);
    file << origin.token << '\n' << origin.named << '\0';
    file.close();
    if (file)
        return {};
    return about(directory / "origin", ErrorKind::System, "cannot be written");
}

void LocalPlace::remove() const
{
    std::error_code error;
    fs::remove_all(directory, error);
}

} // namespace tasuki
