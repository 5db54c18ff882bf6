// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/guardianprocess.h"

#include "process/guardianprotocol.h"
#include "process/processtable.h"
#include "process/programstart.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <filesystem>
#include <thread>
#include <utility>

namespace tasuki {
namespace {

/// A watcher that was told to kill everything gets so long for it.
constexpr std::chrono::seconds watcherLimit{1};

bool runnable(const std::string& path)
{
    return ::access(path.c_str(), X_OK) == 0 && !std::filesystem::is_directory(path);
}

} // namespace

Result<GuardianProcess> GuardianProcess::start(
    const std::string& program, const std::optional<std::vector<std::string>>& environment)
{
    std::array<int, 2> ends{-1, -1};
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
        return systemError("cannot create a socket pair for the guardian", errno);
    UniqueFd own(ends[0]);
    UniqueFd other(ends[1]);
    if (::fcntl(own.get(), F_SETFL, O_NONBLOCK) != 0
        || ::fcntl(other.get(), F_SETFL, O_NONBLOCK) != 0)
        return systemError("cannot set up the guardian's socket", errno);
    if (other.get() == guardian::socketFd) {
        // Copying a descriptor onto itself would leave it close-on-exec with older C libraries.
        other.reset(::fcntl(ends[1], F_DUPFD_CLOEXEC, guardian::socketFd + 1));
        if (!other)
            return systemError("cannot set up the guardian's socket", errno);
    }
    ProgramStart start;
    start.give(other.get(), guardian::socketFd);
    const Result<pid_t> pid = start.run(program, {"tasuki-guardian"},
                                        environment ? *environment : ownEnvironment());
    if (!pid)
        return pid.error();
    return GuardianProcess(std::move(own), *pid);
}

pid_t GuardianProcess::pid() const
{
    if (m_watcher < 0)
        return -1;
    for (const ProcessEntry& process : readProcesses()) {
        if (process.parent == m_watcher && process.name == "tasuki-guardian" && !process.zombie())
            return process.pid;
    }
    return -1;
}

GuardianProcess::GuardianProcess(GuardianProcess&& other) noexcept
    : m_socket(std::move(other.m_socket)), m_watcher(std::exchange(other.m_watcher, -1))
{}

GuardianProcess& GuardianProcess::operator=(GuardianProcess&& other) noexcept
{
    if (this != &other) {
        end(std::chrono::seconds(2));
        m_socket = std::move(other.m_socket);
        m_watcher = std::exchange(other.m_watcher, -1);
    }
    return *this;
}

GuardianProcess::~GuardianProcess() { end(std::chrono::seconds(2)); }

void GuardianProcess::end(std::chrono::milliseconds limit)
{
    m_socket.reset();
    if (m_watcher < 0)
        return;
    const auto giveUp = std::chrono::steady_clock::now() + limit;
    auto pause = std::chrono::microseconds(200);
    bool asked = false;
    for (;;) {
        const pid_t reaped = ::waitpid(m_watcher, nullptr, WNOHANG);
        if (reaped == m_watcher || (reaped < 0 && errno != EINTR))
            break;
        const auto now = std::chrono::steady_clock::now();
        if (now >= giveUp + watcherLimit) {
            ::kill(m_watcher, SIGKILL);
            while (::waitpid(m_watcher, nullptr, 0) < 0 && errno == EINTR) {}
            break;
        }
        if (now >= giveUp && !std::exchange(asked, true))
            ::kill(m_watcher, SIGTERM);
        std::this_thread::sleep_for(pause);
        pause = std::min(pause * 2, std::chrono::microseconds(5000));
    }
    m_watcher = -1;
}

Result<std::string> findGuardian(const std::string& wanted)
{
    if (!wanted.empty()) {
        if (runnable(wanted))
            return wanted;
        return Error{ErrorKind::Input, "'" + wanted + "' is not a program that can be executed"};
    }
    std::error_code error;
    const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
    if (error)
        return systemError("cannot find out where this program is", error.value());
    const auto beside = self.parent_path() / "tasuki-guardian";
    const auto installed = self.parent_path().parent_path() / "libexec/tasuki/tasuki-guardian";
    for (const auto& place : {beside, installed}) {
        if (runnable(place.string()))
            return place.string();
    }
    return Error{ErrorKind::System,
                 "cannot find tasuki-guardian, neither " + beside.string() + " nor "
                     + installed.string(),
                 "install it beside this program"};
}

} // namespace tasuki
