// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/watcher.h"

#include "process/killrounds.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/types.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstring>
#include <ctime>

namespace tasuki::guardian {
namespace {

constexpr auto watcherName = "tasuki-watcher";
/// What cannot be killed in this time never can be.
constexpr std::chrono::seconds watcherKillLimit{10};

sigset_t watchedSignals()
{
    sigset_t set;
    ::sigemptyset(&set);
    ::sigaddset(&set, SIGCHLD);
    ::sigaddset(&set, SIGTERM);
    return set;
}

/// The others must see that the guardian has closed them, and directories may be unmounted.
void letGoOfEverything()
{
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    for (const int stream : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
        ::dup2(null, stream);
    ::syscall(SYS_close_range, static_cast<unsigned>(STDERR_FILENO) + 1, ~0U, 0U);
    static_cast<void>(::chdir("/") == 0);
}

/// @return whether the guardian has ended; reaps it and whatever else has
bool reapGuardian(pid_t guardian)
{
    bool ended = false;
    for (pid_t pid = 1; pid > 0;) {
        pid = ::waitpid(-1, nullptr, WNOHANG);
        ended = ended || pid == guardian;
    }
    return ended;
}

void killWhatIsLeft()
{
    const auto end = std::chrono::steady_clock::now() + watcherKillLimit;
    while (std::chrono::steady_clock::now() < end) {
        const pid_t pid = ::waitpid(-1, nullptr, WNOHANG);
        if (pid > 0)
            continue;
        // Every orphan comes to this process, so without a child nothing at all is left.
        if (pid < 0 && errno == ECHILD)
            return;
        killDescendantsOnce(::getpid());
        const timespec pause{0, 1'000'000};
        ::nanosleep(&pause, nullptr);
    }
}

[[noreturn]] void watch(pid_t guardian, char* name)
{
    // In lists of processes it is not a guardian.
    ::prctl(PR_SET_NAME, watcherName);
    if (std::strlen(name) >= std::strlen(watcherName))
        std::strncpy(name, watcherName, std::strlen(name));
    letGoOfEverything();
    const sigset_t set = watchedSignals();
    while (!reapGuardian(guardian)) {
        if (::sigwaitinfo(&set, nullptr) == SIGTERM)
            ::kill(guardian, SIGKILL); // not reaped yet: it is nobody else
    }
    killWhatIsLeft();
    ::_exit(0);
}

} // namespace

bool forkGuardian(char* name)
{
    sigset_t before;
    const sigset_t set = watchedSignals();
    const pid_t watcher = ::getpid();
    if (::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0 || ::sigprocmask(SIG_BLOCK, &set, &before) != 0)
        return false;
    const pid_t guardian = ::fork();
    if (guardian > 0)
        watch(guardian, name);
    if (guardian < 0)
        return false;
    ::sigprocmask(SIG_SETMASK, &before, nullptr);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != watcher)
        ::_exit(1);
    return true;
}

} // namespace tasuki::guardian
