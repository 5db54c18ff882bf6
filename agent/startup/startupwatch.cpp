// SPDX-License-Identifier: GPL-3.0-or-later
#include "startupwatch.h"

#include "startupcensus.h"

#include "domain/clock.h"
#include "process/processtable.h"

#include <algorithm>
#include <chrono>

#include <unistd.h>

namespace tasuki {

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
    using std::chrono::steady_clock;
    // Every rank looks at all processes: many of them more seldom, or they hold their own start up.
    constexpr std::chrono::milliseconds shortest{200};
    constexpr std::chrono::milliseconds share{10};
    const auto interval = std::max(shortest, static_cast<int>(ranksOnHost) * share);
    StartupCensus census(launcher, ranksOnHost, steady_clock::now());
    std::unique_lock lock(m_mutex);
    do {
        if (census.oneHasDied(readProcesses(), steady_clock::now()))
            ::_exit(exitCode);
    } while (!m_changed.wait_for(lock, interval, [this] { return m_over; }));
}

} // namespace tasuki
