// SPDX-License-Identifier: GPL-3.0-or-later
#include "unkeptdirectory.h"

#include "recordsite.h"

#include <cerrno>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view namePrefix = "unkept-";
constexpr mode_t ownMode = 0700;

UniqueFd openDirectory(const fs::path& path)
{
    return UniqueFd(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
}

/// Who makes, holds, lets go of or removes a directory in another one: one after the other.
class Turn {
public:
    explicit Turn(const fs::path& in) : m_directory(openDirectory(in))
    {
        while (m_directory && ::flock(m_directory.get(), LOCK_EX) != 0 && errno == EINTR) {}
    }

private:
    UniqueFd m_directory;
};

/// Precondition: it is this process's turn.
void removeUnlessHeld(const fs::path& path, const UniqueFd& directory)
{
    std::error_code ignored;
    if (directory && ::flock(directory.get(), LOCK_EX | LOCK_NB) == 0)
        fs::remove_all(path, ignored);
}

/// Precondition: it is this process's turn.
void removeLeftIn(const fs::path& root)
{
    std::error_code error;
    for (fs::directory_iterator one(root, error), end; !error && one != end; one.increment(error)) {
        if (one->path().filename().native().starts_with(namePrefix))
            removeUnlessHeld(one->path(), openDirectory(one->path()));
    }
}

} // namespace

Result<UnkeptDirectory> UnkeptDirectory::held(const fs::path& path)
{
    struct stat found {};
    UniqueFd use = openDirectory(path);
    if (!use || ::fstat(use.get(), &found) != 0)
        return about(path, systemError("cannot be opened", errno));
    if (found.st_uid != ::geteuid())
        return about(path, ErrorKind::System, "is another user's");
    if (::flock(use.get(), LOCK_SH | LOCK_NB) != 0)
        return about(path, systemError("cannot be locked", errno));
    return UnkeptDirectory(path, std::move(use));
}

Result<UnkeptDirectory> UnkeptDirectory::make()
{
    const Result<fs::path> root = localRecords();
    if (!root)
        return root.error();
    const Turn turn(*root);
    removeLeftIn(*root);
    std::string name = (*root / (std::string(namePrefix) + "XXXXXX")).native();
    if (::mkdtemp(name.data()) == nullptr)
        return about(*root, systemError("no directory can be made", errno));
    return held(name);
}

Result<UnkeptDirectory> UnkeptDirectory::join(const fs::path& path)
{
    if (auto usable = makeLocalRecords(path.parent_path()); !usable)
        return usable.error();
    const Turn turn(path.parent_path());
    if (::mkdir(path.c_str(), ownMode) != 0 && errno != EEXIST)
        return about(path, systemError("cannot be made", errno));
    return held(path);
}

void UnkeptDirectory::removeLeft()
{
    const Result<fs::path> root = localRecords();
    if (!root)
        return;
    const Turn turn(*root);
    removeLeftIn(*root);
}

UnkeptDirectory::~UnkeptDirectory()
{
    if (!m_use)
        return;
    const Turn turn(m_path.parent_path());
    removeUnlessHeld(m_path, m_use);
}

} // namespace tasuki
