// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordmode.h"

#include "owndirectories.h"
#include "uniquefd.h"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace {

constexpr mode_t ownersAlone = 0600;
constexpr std::array<std::pair<std::string_view, mode_t>, 4> modes{
    {{"", ownersAlone}, {"owner", ownersAlone}, {"group", 0640}, {"all", 0644}}};

} // namespace

Result<mode_t> recordMode()
{
    const char* const value = std::getenv("TASUKI_READERS"); // NOLINT(concurrency-mt-unsafe)
    const std::string_view readers = value != nullptr ? value : "";
    for (const auto& [name, mode] : modes) {
        if (readers == name)
            return mode;
    }
    return Error{.kind = ErrorKind::Input,
                 .message = "TASUKI_READERS is '" + std::string(readers) + "'",
                 .remedy = "expected owner, group or all, or leave it out"};
}

Result<mode_t> recordDirectoryMode()
{
    constexpr mode_t readBits = 0444;
    constexpr unsigned toEnter = 2; // from the bit that lets read to the one that lets enter
    const Result<mode_t> mode = recordMode();
    if (!mode)
        return mode.error();
    return *mode | ((*mode & readBits) >> toEnter);
}

int makeFile(const std::filesystem::path& path, mode_t mode)
{
    UniqueFd file(
        ::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, ownersAlone));
    if (!file || ::fchmod(file.get(), mode) == 0 || errno == ENOTSUP || errno == EPERM)
        return file.release(); // some file systems have one mode for all files
    const int number = errno;
    ::unlink(path.c_str());
    errno = number;
    return -1;
}

void keepForOwner(const std::filesystem::path& path)
{
    std::error_code error;
    makeOwnDirectories(path.parent_path(), error);
    if (const UniqueFd made(makeFile(path, ownersAlone)); made)
        return;
    struct stat found {};
    if (::lstat(path.c_str(), &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == ::geteuid())
        static_cast<void>(::chmod(path.c_str(), ownersAlone));
}

bool isOfStranger(const struct stat& found, const std::filesystem::path& path)
{
    struct stat directory {};
    return found.st_uid != ::geteuid() && found.st_uid != 0
        && (::stat(path.has_parent_path() ? path.parent_path().c_str() : ".", &directory) != 0
            || directory.st_uid != found.st_uid);
}

bool isOfStranger(const std::filesystem::path& path)
{
    struct stat found {};
    return ::lstat(path.c_str(), &found) == 0 && isOfStranger(found, path);
}

Error strangersFile(const std::filesystem::path& path)
{
    return about(path, ErrorKind::System, "belongs to another user, who has put it there",
                 "remove it, or use a directory where others cannot make files");
}

} // namespace tasuki
