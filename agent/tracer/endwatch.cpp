// SPDX-License-Identifier: GPL-3.0-or-later
#include "endwatch.h"

#include "blockedsignals.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>
#include <utility>

namespace tasuki::tracer {

namespace {

/// The shell that is waited for starts the one that watches, which then belongs to nobody.
constexpr const char* script =
    "(trap '' HUP INT QUIT TERM; exec >&-; text=; while IFS= read -r line; do text=$line; done; "
    "[ -z \"$text\" ] || printf 'tasuki-alog: %s\\n' \"$text\" >&2) <&3 3<&- &";
constexpr int watchersEnd = 3;

/// @return whether the shell has been started
bool startShell(int end)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    if (posix_spawn_file_actions_init(&actions) != 0)
        return false;
    if (posix_spawnattr_init(&attributes) != 0) {
        posix_spawn_file_actions_destroy(&actions);
        return false;
    }
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_adddup2(&actions, STDERR_FILENO, STDOUT_FILENO);
    posix_spawn_file_actions_adddup2(&actions, end, watchersEnd);
    // What the program has open must not stay open for this.
    posix_spawn_file_actions_addclosefrom_np(&actions, watchersEnd + 1);
    sigset_t none;
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setflags(&attributes,
                             static_cast<short>(POSIX_SPAWN_SETSID | POSIX_SPAWN_SETSIGMASK));
    // Each process has a copy: the shell must not be traced.
    std::array environment{const_cast<char*>("PATH=/usr/bin:/bin"), static_cast<char*>(nullptr)};
    std::array arguments{const_cast<char*>("tasuki-alog"), const_cast<char*>("-c"),
                         const_cast<char*>(script), static_cast<char*>(nullptr)};
    pid_t shell = -1;
    const bool started = posix_spawn(&shell, "/bin/sh", &actions, &attributes, arguments.data(),
                                     environment.data())
        == 0;
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    while (started && waitpid(shell, nullptr, 0) < 0 && errno == EINTR) {}
    return started;
}

} // namespace

void EndWatch::start() noexcept
{
    const int before = errno;
    std::array<int, 2> ends{};
    if (m_pipe < 0 && pipe2(ends.data(), O_CLOEXEC) == 0) {
        // The number that the shell reads from must not be the one that dup2() would leave as it is.
        const int end = fcntl(ends[0], F_DUPFD_CLOEXEC, watchersEnd + 1);
        close(ends[0]);
        if (end >= 0 && startShell(end))
            m_pipe = ends[1];
        else
            close(ends[1]);
        if (end >= 0)
            close(end);
    }
    errno = before;
}

void EndWatch::say(const std::string& text) noexcept
{
    if (m_pipe < 0)
        return;
    const int before = errno;
    const BlockedSignals blocked;
    // Its reader may be gone: then nobody says it.
    [[maybe_unused]] const ssize_t written = write(m_pipe, (text + "\n").c_str(), text.size() + 1);
    errno = before;
}

void EndWatch::over() noexcept
{
    if (m_pipe < 0)
        return;
    say({});
    close(std::exchange(m_pipe, -1));
}

} // namespace tasuki::tracer
