// SPDX-License-Identifier: GPL-3.0-or-later
#include "launchdirectory.h"

#include <chrono>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace {

constexpr const char* namePrefix = "tasuki-launch-";
/// Who has just made one may not have locked it yet.
constexpr std::chrono::seconds youngest{60};

/// Whether a directory is this user's, was made a while ago, and nobody holds it.
bool isLeft(const std::filesystem::path& path)
{
    const UniqueFd directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
    struct stat status {};
    if (!directory || ::fstat(directory.get(), &status) != 0 || status.st_uid != ::geteuid())
        return false;
    const auto age = std::chrono::system_clock::now().time_since_epoch()
        - std::chrono::seconds(status.st_mtim.tv_sec);
    return age > youngest && ::flock(directory.get(), LOCK_EX | LOCK_NB) == 0;
}

void removeLeft(const std::filesystem::path& in)
{
    std::error_code error;
    for (std::filesystem::directory_iterator one(in, error), end; !error && one != end;
         one.increment(error)) {
        std::error_code ignored;
        if (LaunchDirectory::isOne(one->path()) && isLeft(one->path()))
            std::filesystem::remove_all(one->path(), ignored);
    }
}

Result<TemporaryDirectory> makeIn(const std::filesystem::path& in)
{
    removeLeft(in);
    return TemporaryDirectory::make(in, namePrefix);
}

} // namespace

LaunchDirectory::LaunchDirectory(const std::filesystem::path& in) : m_directory(makeIn(in))
{
    if (!m_directory)
        return;
    // Not close-on-exec: as long as mpirun lives, it is in use.
    m_use.reset(::open(m_directory->path().c_str(), O_RDONLY | O_DIRECTORY));
    if (m_use)
        ::flock(m_use.get(), LOCK_SH);
}

std::filesystem::path LaunchDirectory::path() const
{
    return m_directory ? m_directory->path() : std::filesystem::path();
}

bool LaunchDirectory::isOne(const std::filesystem::path& path)
{
    return path.filename().native().starts_with(namePrefix);
}

} // namespace tasuki
