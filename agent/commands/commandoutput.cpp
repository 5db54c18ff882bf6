// SPDX-License-Identifier: GPL-3.0-or-later
#include "commandoutput.h"

#include "domain/clock.h"
#include "process/uniquefd.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tasuki {

namespace {

std::vector<char*> pointers(std::vector<std::string>& texts)
{
    std::vector<char*> found;
    for (std::string& text : texts)
        found.push_back(text.data());
    found.push_back(nullptr);
    return found;
}

/// The program's descriptors and signals, released together.
class SpawnPlan {
public:
    explicit SpawnPlan(int output)
    {
        ::posix_spawn_file_actions_init(&m_actions);
        ::posix_spawn_file_actions_addopen(&m_actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        ::posix_spawn_file_actions_adddup2(&m_actions, output, STDOUT_FILENO);
        ::posix_spawn_file_actions_adddup2(&m_actions, output, STDERR_FILENO);
        ::posix_spawnattr_init(&m_attributes);
        sigset_t none;
        ::sigemptyset(&none);
        ::posix_spawnattr_setsigmask(&m_attributes, &none);
        ::posix_spawnattr_setflags(&m_attributes, POSIX_SPAWN_SETSIGMASK);
    }
    ~SpawnPlan()
    {
        ::posix_spawn_file_actions_destroy(&m_actions);
        ::posix_spawnattr_destroy(&m_attributes);
    }
    SpawnPlan(const SpawnPlan&) = delete;
    SpawnPlan& operator=(const SpawnPlan&) = delete;

    [[nodiscard]] const posix_spawn_file_actions_t* actions() const { return &m_actions; }
    [[nodiscard]] const posix_spawnattr_t* attributes() const { return &m_attributes; }

private:
    posix_spawn_file_actions_t m_actions{};
    posix_spawnattr_t m_attributes{};
};

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
    std::vector<std::string> texts = arguments;
    std::vector<std::string> variables = settings;
    for (char** entry = environ; *entry != nullptr; ++entry)
        variables.emplace_back(*entry);
    pid_t pid = -1;
    const SpawnPlan plan(write.get());
    const int failed = ::posix_spawnp(&pid, texts.front().c_str(), plan.actions(),
                                      plan.attributes(), pointers(texts).data(),
                                      pointers(variables).data());
    if (failed != 0)
        return systemError("cannot start " + arguments.front(), failed);
    write.reset();
    const std::optional<std::string> text = readAll(read.get(), patience);
    if (!text && pid > 1)
        ::kill(pid, SIGKILL);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
    if (!text)
        return Error{.kind = ErrorKind::System, .message = arguments.front() + " does not answer"};
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        return Error{.kind = ErrorKind::System,
                     .message = arguments.front() + " failed: " + firstLine(*text)};
    return *text;
}

} // namespace tasuki
