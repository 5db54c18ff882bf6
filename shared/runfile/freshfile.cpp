// SPDX-License-Identifier: GPL-3.0-or-later
#include "freshfile.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace {

Error freshFileError(const std::filesystem::path& path, int number)
{
    return about(path, systemError("cannot be opened", number));
}

} // namespace

Result<FreshFile> FreshFile::open(const std::filesystem::path& path)
{
    FreshFile file(UniqueFd(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK)));
    if (!file.m_descriptor)
        return freshFileError(path, errno);
    struct stat found {};
    if (::fstat(file.m_descriptor.get(), &found) != 0)
        return freshFileError(path, errno);
    if (!S_ISREG(found.st_mode))
        return freshFileError(path, S_ISDIR(found.st_mode) ? EISDIR : EINVAL);
    constexpr std::int64_t usPerSecond = 1'000'000;
    constexpr std::int64_t nsPerUs = 1'000;
    file.m_size = static_cast<std::uint64_t>(found.st_size);
    file.m_changedUs = found.st_mtim.tv_sec * usPerSecond + found.st_mtim.tv_nsec / nsPerUs;
    file.m_identity = {.device = found.st_dev, .inode = found.st_ino};
    return file;
}

std::size_t FreshFile::read(std::uint64_t offset, char* to, std::size_t bytes) const
{
    std::size_t done = 0;
    while (done < bytes) {
        const ssize_t count = ::pread(m_descriptor.get(), to + done, bytes - done,
                                      static_cast<off_t>(offset + done));
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        done += static_cast<std::size_t>(count);
    }
    return done;
}

void FreshFile::dropKept() const
{
    static_cast<void>(::posix_fadvise(m_descriptor.get(), 0, 0, POSIX_FADV_DONTNEED));
}

std::optional<FreshFile::Identity> identityUnder(const std::filesystem::path& path)
{
    struct stat found {};
    if (::stat(path.c_str(), &found) != 0)
        return std::nullopt;
    return FreshFile::Identity{.device = found.st_dev, .inode = found.st_ino};
}

Result<std::string> freshText(const std::filesystem::path& path, std::size_t mostBytes)
{
    const auto file = FreshFile::open(path);
    if (!file)
        return file.error();
    file->dropKept();
    std::string text(mostBytes, '\0');
    text.resize(file->read(0, text.data(), mostBytes));
    return text;
}

void syncFolderOf(const std::filesystem::path& file)
{
    const UniqueFd folder(::open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
    if (folder)
        ::fsync(folder.get());
}

} // namespace tasuki
