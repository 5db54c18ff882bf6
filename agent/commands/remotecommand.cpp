// SPDX-License-Identifier: GPL-3.0-or-later
#include "remotecommand.h"

#include "domain/visibletext.h"
#include "files/temporarydirectory.h"
#include "files/uniquefd.h"
#include "linkclient/remoterun.h"
#include "linkclient/retrydelay.h"
#include "startup/exitcode.h"
#include "steering/tailpieces.h"
#include "tailoutlet.h"
#include "tasklist/duration.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tasuki {

namespace {

constexpr int lostBySsh = 255;
constexpr int notFound = 127;

/// A file by which ssh says that a connection stood.
class Mark {
public:
    [[nodiscard]] std::string path() const
    {
        return m_directory ? (m_directory->path() / "connected").native() : std::string();
    }
    [[nodiscard]] bool isThere() const
    {
        std::error_code ignored;
        return m_directory && std::filesystem::exists(path(), ignored);
    }

private:
    Result<TemporaryDirectory> m_directory = TemporaryDirectory::make("tasuki-ssh-");
};

/// One command on another host, and the times that it is given.
class Remote {
public:
    Remote(std::string command, Arguments arguments, RemoteRun run)
        : m_command(std::move(command)), m_arguments(std::move(arguments))
    {
        m_call.run = std::move(run);
        m_call.terminal = m_command == "top" && ::isatty(STDOUT_FILENO) != 0;
        m_call.mark = m_mark.path();
        if (const char* const program = std::getenv("TASUKI_REMOTE_AGENT"))
            m_call.program = program;
    }

    int run()
    {
        for (std::uint32_t failures = 1;; ++failures) {
            const auto begin = std::chrono::steady_clock::now();
            const int code = m_command == "tail" ? tail() : once(-1);
            if (code == notFound)
                return fail("there is no " + m_call.program + " in the PATH there",
                            "install it, or say with TASUKI_REMOTE_AGENT where it is");
            if (code != lostBySsh)
                return code;
            if (!m_mark.isThere())
                return fail("ssh does not get there", "try: ssh " + m_call.run.target);
            if (!looksOnly())
                return fail(
                    "the connection was lost before the answer: it is not known whether this was done",
                    {});
            if (std::chrono::steady_clock::now() - begin > std::chrono::seconds(10))
                failures = 1;
            std::fprintf(stderr, "tasuki-agent: the connection to %s was lost: trying again\n",
                         visible(m_call.run.target).c_str());
            std::this_thread::sleep_for(
                retryDelay(failures, std::chrono::milliseconds(500), std::chrono::seconds(5), 0.5));
        }
    }

private:
    [[nodiscard]] bool looksOnly() const
    {
        constexpr std::array<std::string_view, 5> looking{"top", "tail", "wait", "why", "show"};
        return std::ranges::find(looking, m_command) != looking.end();
    }

    int fail(const std::string& what, const std::string& remedy) const
    {
        printError({.kind = ErrorKind::System,
                    .message = visible(m_call.run.target) + ": " + what,
                    .remedy = remedy});
        return toInt(ExitCode::NotSteered);
    }

    /// @param output  of ssh; -1: as this program's
    pid_t start(int output)
    {
        m_call.arguments = {m_command};
        m_call.arguments.insert(m_call.arguments.end(), m_arguments.begin(), m_arguments.end());
        shortenTimeout();
        if (m_command == "tail") {
            m_call.arguments.emplace_back("--pieces");
            if (m_place.attempt != 0)
                m_call.arguments.push_back("--from=" + steering::tailPlaceText(m_place));
        }
        std::vector<std::string> words = sshArguments(m_call);
        std::vector<char*> pointers;
        for (std::string& word : words)
            pointers.push_back(word.data());
        pointers.push_back(nullptr);
        posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        // Only what reads tasks and keys reads anything.
        if (m_command != "add" && !m_call.terminal)
            ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
        if (output >= 0)
            ::posix_spawn_file_actions_adddup2(&actions, output, STDOUT_FILENO);
        pid_t child = -1;
        const int error = ::posix_spawnp(&child, "ssh", &actions, nullptr, pointers.data(),
                                         environ);
        ::posix_spawn_file_actions_destroy(&actions);
        if (error != 0)
            printError(systemError("cannot start ssh", error));
        return error == 0 ? child : -1;
    }

    /// What was waited before a link was lost counts.
    void shortenTimeout()
    {
        constexpr std::string_view option = "--timeout";
        Arguments& given = m_call.arguments;
        for (std::size_t i = 0; i < given.size(); ++i) {
            const bool apart = given[i] == option && i + 1 < given.size();
            const bool joined = given[i].starts_with(std::string(option) + '=');
            if (!apart && !joined)
                continue;
            std::string& word = given[apart ? i + 1 : i];
            const auto limit = parseDuration(apart ? word : word.substr(option.size() + 1));
            if (!limit)
                return; // it is told there
            const auto spent = std::chrono::floor<std::chrono::milliseconds>(
                std::chrono::steady_clock::now() - m_begin);
            const auto left = std::max(*limit - spent, std::chrono::milliseconds(1));
            word = (apart ? "" : std::string(option) + '=') + formatDuration(left);
            return;
        }
    }

    static int endOf(pid_t child)
    {
        int status = 0;
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR)
            continue;
        return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
    }

    int once(int output)
    {
        const pid_t child = start(output);
        return child < 0 ? toInt(ExitCode::NotSteered) : endOf(child);
    }

    /// Shows pieces, and notes up to where: a next call goes on there.
    int tail()
    {
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0) {
            printError(systemError("cannot make a pipe", errno));
            return toInt(ExitCode::NotSteered);
        }
        const UniqueFd readEnd(ends[0]);
        UniqueFd writeEnd(ends[1]);
        const pid_t child = start(writeEnd.get());
        writeEnd.reset();
        if (child < 0)
            return toInt(ExitCode::NotSteered);
        steering::TailPieces pieces;
        std::array<char, 64 * 1024> buffer{};
        for (;;) {
            const ssize_t count = ::read(readEnd.get(), buffer.data(), buffer.size());
            if (count < 0 && errno == EINTR)
                continue;
            if (count <= 0)
                break;
            pieces.feed({buffer.data(), static_cast<std::size_t>(count)});
            if (const Result<void> shown = show(pieces); !shown) {
                printError(shown.error());
                ::kill(child, SIGTERM);
                break;
            }
        }
        return endOf(child);
    }

    Result<void> show(steering::TailPieces& pieces)
    {
        for (;;) {
            const auto piece = pieces.next();
            if (!piece)
                return piece.error();
            if (!*piece)
                return {};
            TailOutlet::print(**piece);
            if ((*piece)->after.attempt != 0)
                m_place = (*piece)->after;
        }
    }

    std::string m_command;
    Arguments m_arguments;
    Mark m_mark;
    RemoteCall m_call;
    steering::TailPlace m_place;
    std::chrono::steady_clock::time_point m_begin = std::chrono::steady_clock::now();
};

} // namespace

std::optional<int> remoteCommand(const std::string& command, const Arguments& arguments)
{
    Arguments there = arguments;
    const auto dashes = std::ranges::find(there, "--");
    const auto named = std::find_if(there.begin(), dashes, isRemote);
    if (named == dashes)
        return std::nullopt;
    auto run = parseRemoteRun(*named);
    if (!run) {
        printError(run.error());
        return toInt(ExitCode::BadInput);
    }
    *named = run->path;
    return Remote(command, std::move(there), std::move(*run)).run();
}

} // namespace tasuki
