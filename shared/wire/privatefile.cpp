// SPDX-License-Identifier: GPL-3.0-or-later
#include "privatefile.h"

#include "files/owndirectories.h"
#include "files/uniquefd.h"
#include "files/wholefile.h"

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki::link {

namespace {

constexpr mode_t ownersDirectory = 0700;
constexpr mode_t ownersFile = 0600;
constexpr mode_t ofOthers = 0077;

std::string octal(mode_t mode)
{
    std::string digits;
    for (int shift = 6; shift >= 0; shift -= 3)
        digits += static_cast<char>('0' + ((mode >> static_cast<unsigned>(shift)) & 7U));
    return digits;
}

Result<void> checkDirectory(const std::filesystem::path& directory)
{
    struct stat status {};
    if (::lstat(directory.c_str(), &status) != 0)
        return about(directory, systemError("cannot be looked at", errno));
    if (S_ISLNK(status.st_mode))
        return about(directory, ErrorKind::System, "is a symbolic link, a directory was expected",
                     "remove the link");
    if (!S_ISDIR(status.st_mode))
        return about(directory, ErrorKind::System, "is no directory", "remove it");
    if (status.st_uid != ::geteuid())
        return about(directory, ErrorKind::System, "is the directory of another user",
                     "name another one");
    if ((status.st_mode & ofOthers) != 0)
        return about(directory, ErrorKind::System,
                     "is open to other users (mode " + octal(status.st_mode) + ")",
                     "chmod 700 " + directory.native());
    return {};
}

} // namespace

Result<void> makePrivateDirectory(const std::filesystem::path& directory)
{
    std::error_code error;
    if (directory.has_parent_path())
        makeOwnDirectories(directory.parent_path(), error);
    if (error)
        return about(directory.parent_path(), systemError("cannot be made", error.value()));
    if (::mkdir(directory.c_str(), ownersDirectory) != 0 && errno != EEXIST)
        return about(directory, systemError("cannot be made", errno));
    return checkDirectory(directory);
}

Result<std::filesystem::path> makePrivateDirectoryLike(const std::filesystem::path& wanted)
{
    const Result<void> made = makePrivateDirectory(wanted);
    if (made)
        return wanted;
    std::string other = wanted.native() + "-XXXXXX";
    return ::mkdtemp(other.data()) != nullptr
        ? Result<std::filesystem::path>(std::filesystem::path(other))
        : made.error();
}

Result<void> writePrivateFile(const std::filesystem::path& path, std::string_view bytes)
{
    return writeWholeFile(path.native(), bytes, ownersFile);
}

Result<std::string> readPrivateFile(const std::filesystem::path& path, std::size_t limit)
{
    // A FIFO must not make the reader wait.
    const UniqueFd file(::open(path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC));
    if (file.get() < 0 && errno == ELOOP)
        return about(path, ErrorKind::System, "is a symbolic link, which is not followed");
    if (file.get() < 0)
        return about(path, systemError("cannot be opened", errno));
    struct stat status {};
    if (::fstat(file.get(), &status) != 0)
        return about(path, systemError("cannot be looked at", errno));
    if (!S_ISREG(status.st_mode))
        return about(path, ErrorKind::System, "is no regular file");
    if (status.st_uid != ::geteuid())
        return about(path, ErrorKind::System, "belongs to another user, who may have made it up");
    if ((status.st_mode & ofOthers) != 0)
        return about(path, ErrorKind::System,
                     "can be used by others (mode " + octal(status.st_mode)
                         + "), its token may be known",
                     "remove it and start the agent anew");
    std::string bytes(limit + 1, '\0');
    std::size_t length = 0;
    while (length < bytes.size()) {
        const ssize_t got = ::read(file.get(), bytes.data() + length, bytes.size() - length);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return about(path, systemError("cannot be read", errno));
        if (got == 0)
            break;
        length += static_cast<std::size_t>(got);
    }
    if (length > limit)
        return about(path, ErrorKind::Foreign,
                     "is larger than " + std::to_string(limit) + " bytes: no access file");
    bytes.resize(length);
    return bytes;
}

} // namespace tasuki::link
