// SPDX-License-Identifier: GPL-3.0-or-later
// Starts a program as the ranks of a world on this host, and waits for all of them; see usage below.
#include "world/segment.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

namespace {

using namespace std::chrono_literals;
using tasuki::world::Segment;
using Clock = std::chrono::steady_clock;

constexpr const char* usage =
    "usage: worldrun [--log MIB] [--kills N] [--pause MS] [--seed N] LIBRARY N PROGRAM [ARGUMENT...]\n"
    "--log: so much of each rank's messages is kept. --kills: so often one rank or two are killed, after\n"
    "pauses of MS at most, and begun again; what they print a second time is compared, and left out.\n";

struct Options {
    std::uint64_t logBytes = 0;
    int kills = 0;
    int pauseMs = 20;
    unsigned seed = 1;
    const char* library = nullptr;
    int ranks = 0;
    char** program = nullptr;
};

bool read(int argc, char** argv, Options& options)
{
    int at = 1;
    for (; at + 1 < argc && std::string_view(argv[at]).starts_with("--"); at += 2) {
        const std::string_view name = argv[at];
        const int number = std::atoi(argv[at + 1]);
        if (name == "--log")
            options.logBytes = static_cast<std::uint64_t>(number) << 20U;
        else if (name == "--kills")
            options.kills = number;
        else if (name == "--pause")
            options.pauseMs = number;
        else if (name == "--seed")
            options.seed = static_cast<unsigned>(number);
        else
            return false;
    }
    if (argc < at + 3)
        return false;
    options.library = argv[at];
    options.ranks = std::atoi(argv[at + 1]);
    options.program = argv + at + 2;
    return options.ranks > 0;
}

struct RankProcess {
    pid_t process = 0;
    int life = 0;
    int output = -1;
    std::string printed;
    std::size_t repeated = 0; ///< of that, by this life
    bool over = false;
};

class Run {
public:
    Run(const Options& options, const Segment& segment)
        : m_options(options),
          m_path(segment.path()),
          m_random(options.seed),
          m_ranks(static_cast<std::size_t>(options.ranks))
    {}

    int run()
    {
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank)
            start(rank);
        planKill();
        while (std::ranges::any_of(m_ranks, [](const RankProcess& one) { return !one.over; })) {
            print();
            reap();
            if (m_killsDone < m_options.kills && m_worst == 0 && Clock::now() >= m_nextKill)
                kill();
        }
        std::fflush(stdout);
        if (m_options.kills != 0)
            std::fprintf(stderr, "worldrun: %d killed\n", m_killsDone);
        return m_worst;
    }

private:
    void start(std::size_t rank)
    {
        RankProcess& one = m_ranks[rank];
        ++one.life;
        one.repeated = 0;
        std::array<int, 2> ends{};
        if (::pipe2(ends.data(), O_CLOEXEC) != 0)
            std::abort();
        const pid_t process = ::fork();
        if (process == 0) {
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            ::dup2(ends[1], STDOUT_FILENO);
            ::setenv("LD_PRELOAD", m_options.library, 1);
            ::setenv("TASUKI_WORLD", m_path.c_str(), 1);
            ::setenv("TASUKI_WORLD_RANK", std::to_string(rank).c_str(), 1);
            ::setenv("TASUKI_WORLD_LIFE", std::to_string(one.life).c_str(), 1);
            ::execvp(m_options.program[0], m_options.program);
            std::perror(m_options.program[0]);
            ::_exit(127);
        }
        ::close(ends[1]);
        one.process = process;
        one.output = ends[0];
        ::fcntl(one.output, F_SETFL, O_NONBLOCK);
    }

    /// @return whether there was anything
    bool drain(RankProcess& one)
    {
        bool any = false;
        std::array<char, 65536> bytes{};
        for (ssize_t count = 0; (count = ::read(one.output, bytes.data(), bytes.size())) > 0;) {
            any = true;
            std::string_view fresh(bytes.data(), static_cast<std::size_t>(count));
            const std::size_t again = std::min(fresh.size(), one.printed.size() - one.repeated);
            if (fresh.substr(0, again) != std::string_view(one.printed).substr(one.repeated, again))
                fail("a rank prints something else than before");
            one.repeated += again;
            fresh.remove_prefix(again);
            one.printed += fresh;
            one.repeated += fresh.size();
            std::fwrite(fresh.data(), 1, fresh.size(), stdout);
        }
        return any;
    }

    void print()
    {
        std::vector<pollfd> ends;
        for (const RankProcess& one : m_ranks)
            if (!one.over)
                ends.push_back({.fd = one.output, .events = POLLIN, .revents = 0});
        ::poll(ends.data(), ends.size(), 1);
        for (RankProcess& one : m_ranks)
            if (!one.over)
                drain(one);
    }

    void reap()
    {
        for (std::size_t rank = 0; rank < m_ranks.size(); ++rank) {
            RankProcess& one = m_ranks[rank];
            int status = 0;
            if (one.over || ::waitpid(one.process, &status, WNOHANG) != one.process)
                continue;
            drain(one);
            ::close(one.output);
            const int code = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            if (code == 128 + SIGKILL && m_worst == 0) {
                start(rank);
                continue;
            }
            one.over = true;
            if (code == 0 && one.repeated < one.printed.size())
                fail("a rank prints less than before");
            // One that ends wrongly ends all: the others would wait for it.
            if (code != 0 && m_worst == 0)
                end(code);
        }
    }

    void planKill()
    {
        m_nextKill = Clock::now()
            + std::chrono::microseconds(
                         std::uniform_int_distribution(0, 1000 * m_options.pauseMs)(m_random));
    }

    void kill()
    {
        for (int many = std::uniform_int_distribution(1, 5)(m_random) == 1 ? 2 : 1; many > 0;
             --many) {
            const auto chosen = std::uniform_int_distribution<std::size_t>(0, m_ranks.size() - 1)(
                m_random);
            if (m_ranks[chosen].over)
                continue;
            ::kill(m_ranks[chosen].process, SIGKILL);
            ++m_killsDone;
        }
        planKill();
    }

    void fail(const char* what)
    {
        std::fprintf(stderr, "worldrun: error: %s\n", what);
        end(3);
    }

    void end(int code)
    {
        m_worst = code;
        for (const RankProcess& one : m_ranks)
            if (!one.over)
                ::kill(one.process, SIGKILL);
    }

    const Options& m_options;
    std::string m_path;
    std::mt19937 m_random;
    std::vector<RankProcess> m_ranks;
    Clock::time_point m_nextKill;
    int m_killsDone = 0;
    int m_worst = 0;
};

} // namespace

int main(int argc, char** argv)
{
    Options options;
    if (!read(argc, argv, options)) {
        std::fputs(usage, stderr);
        return 2;
    }
    const auto segment = Segment::create(
        {.ranks = static_cast<std::uint32_t>(options.ranks), .logBytes = options.logBytes});
    if (!segment) {
        std::fprintf(stderr, "worldrun: %s\n", segment.error().text().c_str());
        return 2;
    }
    return Run(options, *segment).run();
}
