// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentlock.h"

#include "files/recordmode.h"
#include "files/uniquefd.h"

#include <array>
#include <cerrno>
#include <ctime>
#include <string>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace {

std::string holderLine()
{
    std::array<char, 256> host{};
    if (gethostname(host.data(), host.size() - 1) != 0)
        host[0] = '\0';
    const std::time_t now = std::time(nullptr);
    std::tm utc{};
    gmtime_r(&now, &utc);
    std::array<char, 32> time{};
    std::strftime(time.data(), time.size(), "%Y-%m-%d %H:%M:%S", &utc);
    return "process " + std::to_string(getpid()) + " on " + host.data() + " since " + time.data()
        + " UTC\n";
}

/// What the holder wrote; it may be about to write it.
std::string readHolder(int descriptor)
{
    std::array<char, 512> text{};
    const ssize_t length = pread(descriptor, text.data(), text.size(), 0);
    std::string holder(text.data(), length > 0 ? static_cast<std::size_t>(length) : 0);
    holder.erase(holder.find_last_not_of('\n') + 1);
    return holder.empty() ? "another process" : holder;
}

/// Whether the file that is open is still the one with that name.
bool isNamed(int descriptor, const std::filesystem::path& path)
{
    struct stat opened {};
    struct stat named {};
    return fstat(descriptor, &opened) == 0 && stat(path.c_str(), &named) == 0
        && opened.st_dev == named.st_dev && opened.st_ino == named.st_ino;
}

/// Whoever may open it can hold it for ever.
constexpr mode_t ownersAlone = 0600;

Error lockError(const std::filesystem::path& path, const char* what, int number)
{
    Error error = about(path, systemError(what, number));
    if (number == ENOSYS || number == ENOLCK || number == EOPNOTSUPP)
        error.remedy = "this file system has no locks; put the run file on another one";
    return error;
}

} // namespace

Result<AgentLock> AgentLock::acquire(const std::filesystem::path& runFile)
{
    std::filesystem::path path = runFile;
    path += ".lock";
    for (;;) {
        const int descriptor = open(
            path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, ownersAlone);
        const int reason = errno;
        if (isOfStranger(path)) { // who can hold it for ever
            if (descriptor >= 0)
                close(descriptor);
            Error taken = strangersFile(path);
            taken.kind = ErrorKind::InUse; // for who takes another one's place nothing else
            return taken;
        }
        if (descriptor < 0)
            return lockError(path, "cannot be opened", reason);
        static_cast<void>(fchmod(descriptor, ownersAlone)); // it may be of an earlier version
        AgentLock lock(descriptor, {}); // without a name: does not remove the file of another
        while (flock(descriptor, LOCK_EX | LOCK_NB) != 0) {
            const int number = errno;
            if (number == EINTR)
                continue;
            if (number != EWOULDBLOCK)
                return lockError(path, "cannot be locked", number);
            return about(runFile, ErrorKind::InUse, "in use by " + readHolder(descriptor),
                         "wait for it to end, or use another run file");
        }
        // The former holder may have removed the file between open and lock: then this lock is on
        // a file that nobody else will ever see.
        if (!isNamed(descriptor, path))
            continue;
        lock.m_path = path;
        const std::string line = holderLine();
        // The words help people; the lock holds without them, also on a full disk.
        if (ftruncate(descriptor, 0) == 0)
            static_cast<void>(pwrite(descriptor, line.data(), line.size(), 0) < 0);
        return lock;
    }
}

Result<AgentLock> AgentLock::seize(const std::filesystem::path& runFile)
{
    constexpr int rounds = 8; // others that seize it meanwhile
    auto lock = acquire(runFile);
    for (int round = 0; round < rounds && !lock && lock.error().kind == ErrorKind::InUse; ++round) {
        unlink((runFile.native() + ".lock").c_str());
        lock = acquire(runFile);
    }
    // Somebody has taken the name where everybody can: nobody whom this one has to keep off.
    if (!lock && isOfStranger(runFile.native() + ".lock"))
        return AgentLock(-1, {});
    return lock;
}

std::optional<std::string> AgentLock::holder(const std::filesystem::path& runFile)
{
    const std::filesystem::path path = runFile.native() + ".lock";
    // A free one is removed by its holder, or was left by one that was killed.
    const UniqueFd file(open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
    if (!file || isOfStranger(path) || flock(file.get(), LOCK_SH | LOCK_NB) == 0
        || errno != EWOULDBLOCK)
        return std::nullopt;
    return readHolder(file.get());
}

AgentLock::AgentLock(int descriptor, std::filesystem::path path)
    : m_descriptor(descriptor), m_path(std::move(path))
{}

AgentLock::AgentLock(AgentLock&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)), m_path(std::move(other.m_path))
{
    other.m_path.clear();
}

AgentLock& AgentLock::operator=(AgentLock&& other) noexcept
{
    if (this != &other) {
        release();
        m_descriptor = std::exchange(other.m_descriptor, -1);
        m_path = std::move(other.m_path);
        other.m_path.clear();
    }
    return *this;
}

AgentLock::~AgentLock() { release(); }

void AgentLock::release()
{
    if (m_descriptor < 0)
        return;
    // Removed while held, so that nobody can lock a file that is about to vanish unnoticed.
    // Not that of another one, made where the directory's files were deleted.
    if (!m_path.empty() && isNamed(m_descriptor, m_path))
        unlink(m_path.c_str());
    close(m_descriptor);
    m_descriptor = -1;
}

} // namespace tasuki
