// SPDX-License-Identifier: GPL-3.0-or-later
#include "startupwatch.h"

#include "domain/clock.h"
#include "process/processtable.h"

#include <algorithm>
#include <chrono>
#include <set>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace {

/// @return ranks of a launcher that live now
std::set<pid_t> livingRanks(pid_t launcher)
{
    std::set<pid_t> ranks;
    for (const ProcessEntry& process : readProcesses()) {
        if (process.parent == launcher && process.name == "tasuki-agent" && !process.zombie())
            ranks.insert(process.pid);
    }
    return ranks;
}

} // namespace

StartupWatch::StartupWatch(pid_t launcher, std::size_t ranksOnHost, int exitCode)
    : m_thread([this, launcher, ranksOnHost, exitCode] { run(launcher, ranksOnHost, exitCode); })
{}

StartupWatch::~StartupWatch()
{
    {
        const std::scoped_lock lock(m_mutex);
        m_over = true;
    }
    m_changed.notify_one();
    m_thread.join();
}

void StartupWatch::run(pid_t launcher, std::size_t ranksOnHost, int exitCode)
{
    constexpr std::chrono::milliseconds interval{200};
    // The launcher forks its ranks in one go; who is missing after that was killed unseen.
    constexpr std::chrono::seconds forAllToAppear{3};
    const SteadyTime allAreDue = std::chrono::steady_clock::now() + forAllToAppear;
    std::set<pid_t> seen;
    std::unique_lock lock(m_mutex);
    do {
        std::set<pid_t> living = livingRanks(launcher);
        const bool oneIsGone = !std::includes(living.begin(), living.end(), seen.begin(),
                                              seen.end());
        if (oneIsGone
            || (living.size() < ranksOnHost && std::chrono::steady_clock::now() > allAreDue))
            ::_exit(exitCode);
        seen = std::move(living);
    } while (!m_changed.wait_for(lock, interval, [this] { return m_over; }));
}

} // namespace tasuki
