// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpirunprocess.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <thread>

#include <fcntl.h>
#include <spawn.h>
#include <unistd.h>

extern char** environ;

namespace tasuki {

namespace {

/// Arguments or environment in the form that the system takes.
std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> result;
    result.reserve(texts.size() + 1);
    for (std::string& text : texts)
        result.push_back(text.data());
    result.push_back(nullptr);
    return result;
}

/// Copies until one side ends. Both descriptors are blocking; closes `to`.
void pumpInput(int from, int to)
{
    std::array<char, 4096> buffer{};
    for (;;) {
        const ssize_t count = ::read(from, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            break;
        ssize_t written = 0;
        while (written < count) {
            const ssize_t now = ::write(to, buffer.data() + written,
                                        static_cast<std::size_t>(count - written));
            if (now < 0 && errno != EINTR)
                break;
            written += now > 0 ? now : 0;
        }
        if (written < count)
            break;
    }
    ::close(to);
}

} // namespace

bool ignoresHangUp()
{
    struct sigaction action {};
    return ::sigaction(SIGHUP, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

Result<int> inputForMpirun()
{
    if (::isatty(STDIN_FILENO) == 0) {
        const int copy = ::fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
        return copy >= 0 ? Result<int>(copy) : systemError("cannot pass standard input on", errno);
    }
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        return systemError("cannot make a pipe", errno);
    std::thread(pumpInput, STDIN_FILENO, pipe[1]).detach();
    return pipe[0];
}

Result<pid_t> startMpirun(std::vector<std::string> arguments,
                          const std::vector<std::string>& additions, const MpirunStreams& streams)
{
    std::vector<std::string> environment;
    for (char** entry = environ; *entry != nullptr; ++entry)
        environment.emplace_back(*entry);
    environment.insert(environment.end(), additions.begin(), additions.end());

    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    sigset_t defaults;
    ::sigemptyset(&none);
    ::sigemptyset(&defaults);
    for (const int number : {SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD})
        ::sigaddset(&defaults, number);
    if (!ignoresHangUp())
        ::sigaddset(&defaults, SIGHUP);
    ::posix_spawn_file_actions_init(&actions);
    if (streams.input < 0)
        ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    else
        ::posix_spawn_file_actions_adddup2(&actions, streams.input, STDIN_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, streams.output, STDOUT_FILENO);
    ::posix_spawn_file_actions_adddup2(&actions, streams.errors, STDERR_FILENO);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setpgroup(&attributes, 0);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    ::posix_spawnattr_setsigdefault(&attributes, &defaults);
    ::posix_spawnattr_setflags(
        &attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);

    const std::string path = arguments.front();
    // Called by its path, Open MPI would put directories of its own before those of the user's PATH.
    arguments.front().erase(0, path.rfind('/') + 1);
    pid_t pid = -1;
    const int failure = ::posix_spawn(&pid, path.c_str(), &actions, &attributes,
                                      pointers(arguments).data(), pointers(environment).data());
    ::posix_spawnattr_destroy(&attributes);
    ::posix_spawn_file_actions_destroy(&actions);
    if (failure != 0)
        return systemError("cannot start " + path, failure);
    return pid;
}

} // namespace tasuki
