// SPDX-License-Identifier: GPL-3.0-or-later
#include "mpirunprocess.h"

#include "process/programstart.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace tasuki {

namespace {

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
    EnvironmentEntries environment = ownEnvironment();
    environment.insert(environment.end(), additions.begin(), additions.end());
    ProgramStart start;
    start.leadGroup();
    start.takeSignals({SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGCHLD});
    if (!ignoresHangUp())
        start.takeSignals({SIGHUP});
    start.give(streams.input, STDIN_FILENO);
    start.give(streams.output, STDOUT_FILENO);
    start.give(streams.errors, STDERR_FILENO);
    const std::string path = arguments.front();
    // Called by its path, Open MPI would put directories of its own before those of the user's PATH.
    arguments.front().erase(0, path.rfind('/') + 1);
    return start.run(path, std::move(arguments), std::move(environment));
}

} // namespace tasuki
