// SPDX-License-Identifier: GPL-3.0-or-later
#include "processhandle.h"

#include "process/processtable.h"

#include <array>
#include <cerrno>
#include <string>

#include <csignal>
#include <fcntl.h>
#include <poll.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tasuki::control {

namespace {

/// What /proc says of a process.
struct Look {
    std::optional<ProcessEntry> entry = {};
    int error = 0; ///< why nothing can be said, e.g. that no descriptor is free; else there is none
};

Look lookAt(std::int64_t pid)
{
    const UniqueFd file(
        ::open(("/proc/" + std::to_string(pid) + "/stat").c_str(), O_RDONLY | O_CLOEXEC));
    if (!file)
        return {.error = errno == ENOENT || errno == ESRCH ? 0 : errno};
    std::array<char, 4096> buffer{};
    const auto length = ::read(file.get(), buffer.data(), buffer.size());
    if (length <= 0)
        return {.error = length < 0 && errno != ESRCH ? errno : 0};
    return {
        .entry = parseProcessStat(std::string(buffer.data(), static_cast<std::size_t>(length)))};
}

bool readable(int pidfd)
{
    pollfd poll{.fd = pidfd, .events = POLLIN, .revents = 0};
    return ::poll(&poll, 1, 0) == 1;
}

} // namespace

std::uint64_t processStartTicks(std::int64_t pid)
{
    const Look look = lookAt(pid);
    return look.entry ? look.entry->startTicks : 0;
}

ProcessHandle::ProcessHandle(std::int64_t pid, std::uint64_t start) : m_pid(pid), m_start(start)
{
    if (pid <= 0)
        return;
    m_pidfd.reset(static_cast<int>(::syscall(SYS_pidfd_open, static_cast<pid_t>(pid), 0)));
    if (!m_pidfd && errno != ESRCH)
        m_unwatchable = systemError("cannot watch process " + std::to_string(pid), errno);
    // Looked at after the descriptor was got: who had the number then, has it had all the time.
    const Look look = lookAt(pid);
    if (look.error != 0) {
        // Who it is cannot be told: it is neither watched nor killed, and not taken for dead.
        m_pidfd.reset();
        m_unwatchable = systemError("cannot look at process " + std::to_string(pid), look.error);
        return;
    }
    const std::uint64_t now = look.entry ? look.entry->startTicks : 0;
    if (m_start == 0)
        m_start = now;
    if (now == 0 || now != m_start) {
        m_pidfd.reset();
        m_unwatchable.reset();
    }
}

Presence ProcessHandle::presence() const
{
    if (m_pid <= 0)
        return Presence::Elsewhere;
    if (!m_pidfd && !m_unwatchable)
        return Presence::Gone;
    const bool ended = m_pidfd && readable(m_pidfd.get());
    const auto [entry, error] = lookAt(m_pid);
    if (error != 0 && !ended) // that it lives the pidfd says
        return m_pidfd ? Presence::Running : Presence::Elsewhere;
    if (!entry || (m_start != 0 && entry->startTicks != m_start))
        return Presence::Gone;
    // The first thread may end before the process does; then its entry looks like one that ended.
    if (ended || (!m_pidfd && entry->zombie()))
        return Presence::Zombie;
    return entry->stopped() ? Presence::Stopped : Presence::Running;
}

bool ProcessHandle::hasEnded() const
{
    if (m_pid <= 0)
        return false;
    if (m_pidfd)
        return readable(m_pidfd.get());
    const Presence now = presence();
    return now == Presence::Zombie || now == Presence::Gone;
}

Result<void> ProcessHandle::kill() const
{
    if (m_unwatchable)
        return *m_unwatchable;
    if (!m_pidfd || ::syscall(SYS_pidfd_send_signal, m_pidfd.get(), SIGKILL, nullptr, 0) == 0
        || errno == ESRCH)
        return {};
    return systemError("cannot kill process " + std::to_string(m_pid), errno);
}

Result<std::optional<UniqueFd>> ProcessHandle::watchable() const
{
    if (m_unwatchable)
        return *m_unwatchable;
    if (!m_pidfd)
        return std::optional<UniqueFd>();
    UniqueFd copy(::fcntl(m_pidfd.get(), F_DUPFD_CLOEXEC, 0));
    if (!copy)
        return systemError("cannot watch process " + std::to_string(m_pid), errno);
    return std::optional(std::move(copy));
}

} // namespace tasuki::control
