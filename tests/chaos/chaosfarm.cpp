// SPDX-License-Identifier: GPL-3.0-or-later
#include "chaosfarm.h"

#include "mergedlog.h"
#include "replay.h"

#include <csignal>
#include <fstream>
#include <iterator>
#include <poll.h>
#include <sched.h>
#include <sstream>
#include <stdexcept>
#include <sys/syscall.h>
#include <thread>
#include <unistd.h>

namespace tasuki::testing {

using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

void write(const std::filesystem::path& file, const std::string& text)
{
    if (!(std::ofstream(file) << text).flush()) {
        throw std::runtime_error("cannot write " + file.string());
    }
}

constexpr std::uintmax_t traceLineBytes = 8; ///< seven digits and the end of the line

/// @return a command that adds the task's number to the trace
std::string traceLine(int number)
{
    const std::string digits = std::to_string(number);
    return "echo " + std::string(traceLineBytes - 1 - digits.size(), '0') + digits + " >> trace";
}

std::string read(const std::filesystem::path& file)
{
    std::ifstream stream(file);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::string decisionsOf(int launch) { return "decisions" + std::to_string(launch); }

} // namespace

std::string chaosSubcluster(const std::string& name, int active, int standby, int io)
{
    return "[[subcluster]]\nname = \"" + name + "\"\nactive = " + std::to_string(active)
        + "\nstandby = " + std::to_string(standby) + "\nio = " + std::to_string(io)
        + "\nminimum = 1\nunits = 2\nrestarts = { count = 1000, within_s = 60 }\n";
}

ChaosFarm::ChaosFarm(Setup setup) : m_setup(std::move(setup))
{
    std::filesystem::create_directories(m_setup.directory);
    std::string list;
    for (int number = 0; number < m_setup.tasks; ++number) {
        list += traceLine(number) + (m_setup.command.empty() ? "" : "; ") + m_setup.command + '\n';
    }
    write(m_setup.directory / "tasks.sh", list);
    write(m_setup.directory / "system.toml", m_setup.topology);
}

void ChaosFarm::launch(const std::vector<std::string>& more)
{
    std::vector<std::string> arguments{"farm", "tasks.sh", "--topology", "system.toml"};
    arguments.insert(arguments.end(), more.begin(), more.end());
    ++m_launches;
    if (m_setup.decisions) {
        arguments.insert(arguments.end(), {"--decision-log", decisionsOf(m_launches)});
    }
    m_life.emplace(Starter::Launch, m_setup.processors, m_setup.directory, arguments,
                   m_setup.launcherOptions);
}

void ChaosFarm::start()
{
    launch({});
    const auto limit = steady_clock::now() + 60s + m_setup.processors * 1s;
    constexpr long long some = 10;
    while (m_agents.size() != static_cast<std::size_t>(m_setup.processors)) {
        if (begun() >= some) {
            m_agents = m_life->agents();
        }
        if (m_life->ended() || steady_clock::now() > limit) {
            throw std::runtime_error("does not start: " + said() + remainder());
        }
        std::this_thread::sleep_for(10ms);
    }
}

void ChaosFarm::resume() { launch({"--resume", "tasks.tasuki"}); }

bool ChaosFarm::strike(int processor, int signal)
{
    const pid_t pid = m_agents.at(processor);
    return processInfo(pid).has_value() && kill(pid, signal) == 0;
}

WallMicros ChaosFarm::strikeAndWait(int processor, int signal)
{
    const int watch = static_cast<int>(::syscall(SYS_pidfd_open, m_agents.at(processor), 0));
    // Before the busy ones, where that is allowed: this is about when it ended, not when it was seen.
    const sched_param first{.sched_priority = 1};
    const sched_param plain{};
    ::sched_setscheduler(0, SCHED_RR, &first);
    pollfd ended{.fd = watch, .events = POLLIN, .revents = 0};
    const bool there = watch >= 0 && strike(processor, signal) && ::poll(&ended, 1, 10'000) == 1;
    const WallMicros now = wallNow();
    ::sched_setscheduler(0, SCHED_OTHER, &plain);
    ::close(watch);
    return there ? now : 0;
}

std::optional<int> ChaosFarm::end(std::chrono::milliseconds limit)
{
    return m_life->waitForEverything(limit) ? m_life->ended() : std::nullopt;
}

std::pair<std::size_t, std::vector<std::string>> ChaosFarm::replayDecisions() const
{
    std::size_t events = 0;
    std::vector<std::string> problems;
    for (int launch = 1; launch <= m_launches; ++launch) {
        std::vector<std::filesystem::path> files;
        for (int processor = 0; processor < m_setup.processors; ++processor) {
            files.push_back(m_setup.directory
                            / (decisionsOf(launch) + '.' + std::to_string(processor)));
        }
        const std::string merged = membership::mergedLog(files);
        write(m_setup.directory / (decisionsOf(launch) + ".all"), merged);
        std::istringstream log(merged);
        constexpr membership::Us lag = 100'000;
        const membership::Replay replay = membership::replayed(log, lag);
        events += replay.events();
        for (const membership::Divergence& found : replay.divergences()) {
            problems.push_back(decisionsOf(launch) + ".all:" + std::to_string(found.line) + ": "
                               + found.rule + ": " + found.what);
        }
        if (replay.events() == 0) {
            problems.push_back(decisionsOf(launch) + ": nothing was written down");
        }
    }
    return {events, problems};
}

std::string ChaosFarm::said() const { return read(m_setup.directory / "farm.err"); }

FailoverRecord ChaosFarm::record() const
{
    return FailoverRecord(m_setup.directory / "tasks.tasuki");
}

long long ChaosFarm::begun() const
{
    std::error_code none;
    const auto size = std::filesystem::file_size(m_setup.directory / "trace", none);
    return none ? 0 : static_cast<long long>(size / traceLineBytes);
}

std::string ChaosFarm::remainder() const
{
    std::string text;
    for (const ProcessInfo& process : m_life->all()) {
        text += "lives: " + describe(process) + '\n';
    }
    return text;
}

std::size_t count(const std::string& text, const std::string& word)
{
    std::size_t found = 0;
    for (auto place = text.find(word); place != std::string::npos;
         place = text.find(word, place + word.size())) {
        ++found;
    }
    return found;
}

} // namespace tasuki::testing
