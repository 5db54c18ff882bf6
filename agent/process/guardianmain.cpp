// SPDX-License-Identifier: GPL-3.0-or-later
// tasuki-guardian: started by the agent, with one end of a socket pair as descriptor 3.
#include "process/guardian.h"
#include "process/watcher.h"

#include <fcntl.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <array>
#include <csignal>
#include <cstdio>
#include <exception>

namespace {

void handleNothing(int) {}

/// Only the agent decides when the guardian ends. Signals are handled by doing nothing instead of
/// being ignored: handlers, unlike ignored signals, are reset in the tasks.
void standSignals()
{
    for (int number = 1; number < NSIG; ++number)
        ::signal(number, SIG_DFL);
    // The C library keeps two signals for itself and refuses to touch them, but passes them on
    // when they are ignored. All zero is the kernel's form of the default action.
    const std::array<unsigned long, 8> defaultAction{};
    constexpr std::size_t signalSetSize = 8;
    for (const int number : {32, 33})
        ::syscall(SYS_rt_sigaction, number, defaultAction.data(), nullptr, signalSetSize);
    struct sigaction action {};
    action.sa_handler = handleNothing;
    action.sa_flags = SA_RESTART;
    for (const int number : {SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM,
                             SIGTSTP, SIGTTIN, SIGTTOU})
        ::sigaction(number, &action, nullptr);
    sigset_t blocked;
    sigemptyset(&blocked);
    sigaddset(&blocked, SIGCHLD);
    ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
}

/// Tasks must get none of the agent's descriptors: they would keep its files, pipes and sockets
/// open after its death.
bool tidyDescriptors()
{
    const int null = ::open("/dev/null", O_RDWR | O_CLOEXEC);
    if (null < 0 || ::dup2(null, STDIN_FILENO) < 0 || ::dup2(null, STDOUT_FILENO) < 0)
        return false;
    const auto first = static_cast<unsigned>(tasuki::guardian::socketFd) + 1;
    if (::syscall(SYS_close_range, first, ~0U, 0U) != 0) {
        const long limit = ::sysconf(_SC_OPEN_MAX);
        for (long fd = first; fd < limit; ++fd)
            ::close(static_cast<int>(fd));
    }
    return ::fcntl(tasuki::guardian::socketFd, F_SETFD, FD_CLOEXEC) == 0;
}

/// Each attempt takes two descriptors, and many may run at a time.
/// @return the limit before, which tasks get: programs that use select() rely on it
rlimit raiseDescriptorLimit()
{
    rlimit before{};
    ::getrlimit(RLIMIT_NOFILE, &before);
    const rlimit raised{.rlim_cur = before.rlim_max, .rlim_max = before.rlim_max};
    ::setrlimit(RLIMIT_NOFILE, &raised);
    return before;
}

bool hasSocket()
{
    int type = 0;
    socklen_t size = sizeof type;
    return ::getsockopt(tasuki::guardian::socketFd, SOL_SOCKET, SO_TYPE, &type, &size) == 0
        && type == SOCK_STREAM;
}

} // namespace

int main(int, char** arguments)
{
    if (!hasSocket()) {
        std::fputs("tasuki-guardian: this program is started by tasuki-agent only\n", stderr);
        return 2;
    }
    // Before the session is another one: so the agent tells it from what tasks have left.
    ::prctl(PR_SET_NAME, "tasuki-watcher");
    ::setsid(); // Fails only when it already leads a session.
    standSignals();
    if (!tasuki::guardian::forkGuardian(arguments[0])) {
        std::perror("tasuki-guardian: cannot be forked");
        return 1;
    }
    ::setsid();
    if (!tidyDescriptors() || ::prctl(PR_SET_CHILD_SUBREAPER, 1) != 0
        || ::prctl(PR_SET_NAME, "tasuki-guardian") != 0) {
        std::perror("tasuki-guardian: cannot prepare");
        return 1;
    }
    try {
        tasuki::guardian::Guardian guardian(tasuki::UniqueFd(tasuki::guardian::socketFd),
                                            raiseDescriptorLimit());
        if (const auto served = guardian.run(); !served) {
            std::fprintf(stderr, "tasuki-guardian: %s\n", served.error().text().c_str());
            return 1;
        }
    } catch (const std::exception& error) {
        // The tasks lose their parent: they get SIGKILL, the agent kills what they started.
        std::fprintf(stderr, "tasuki-guardian: %s\n", error.what());
        return 1;
    }
    return 0;
}
