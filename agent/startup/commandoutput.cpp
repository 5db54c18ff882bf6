// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandoutput.h"

#include "domain/clock.h"
#include "files/uniquefd.h"
#include "process/programstart.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <iterator>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tasuki {

namespace {

/// @return all that comes until the end; none: that takes too long
std::optional<std::string> readAll(int fd, std::chrono::milliseconds patience)
{
    const SystemClock clock;
    const SteadyTime end = clock.now() + patience;
    std::string text;
    std::array<char, 4096> buffer;
    for (;;) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(end - clock.now());
        pollfd watched{.fd = fd, .events = POLLIN, .revents = 0};
        if (left.count() <= 0 || ::poll(&watched, 1, static_cast<int>(left.count())) == 0)
            return std::nullopt;
        const ssize_t count = ::read(fd, buffer.data(), buffer.size());
        if (count < 0 && errno == EINTR)
            continue;
        if (count <= 0)
            return text;
        text.append(buffer.data(), static_cast<std::size_t>(count));
    }
}

std::string firstLine(const std::string& text) { return text.substr(0, text.find('\n')); }

} // namespace

Result<std::string> commandOutput(const std::vector<std::string>& arguments,
                                  const std::vector<std::string>& settings,
                                  std::chrono::milliseconds patience)
{
    std::array<int, 2> ends{-1, -1};
    if (::pipe2(ends.data(), O_CLOEXEC) != 0)
        return systemError("cannot make a pipe", errno);
    UniqueFd read(ends[0]);
    UniqueFd write(ends[1]);
    EnvironmentEntries variables = settings; // the first of a name counts
    std::ranges::move(ownEnvironment(), std::back_inserter(variables));
    ProgramStart start;
    start.give(-1, STDIN_FILENO);
    start.give(write.get(), STDOUT_FILENO);
    start.give(write.get(), STDERR_FILENO);
    const Result<pid_t> pid = start.run(arguments.front(), arguments, std::move(variables));
    if (!pid)
        return pid.error();
    write.reset();
    const std::optional<std::string> text = readAll(read.get(), patience);
    if (!text && *pid > 1)
        ::kill(*pid, SIGKILL);
    int status = 0;
    while (::waitpid(*pid, &status, 0) < 0 && errno == EINTR) {}
    if (!text)
        return Error{.kind = ErrorKind::System, .message = arguments.front() + " does not answer"};
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return Error{.kind = ErrorKind::System,
                     .message = arguments.front() + " failed: " + firstLine(*text)};
    return *text;
}

} // namespace tasuki
