// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <thread>

#include <sys/types.h>

namespace tasuki {

/// Ends this process when another rank of this host dies before all have agreed to begin: MPI's
/// start-up would wait for the dead for ever. Has a thread of its own, since start-up blocks.
class StartupWatch {
public:
    /// @param launcher     parent of the ranks of this host
    /// @param ranksOnHost  that the launcher starts, this one among them; 0: not known
    /// @param exitCode     of this process when a rank has died
    StartupWatch(pid_t launcher, std::size_t ranksOnHost, int exitCode);
    /// Start-up is over. No rank may end before every rank has come here.
    ~StartupWatch();
    StartupWatch(const StartupWatch&) = delete;
    StartupWatch& operator=(const StartupWatch&) = delete;

private:
    void run(pid_t launcher, std::size_t ranksOnHost, int exitCode);

    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_over = false;
    std::thread m_thread;
};

} // namespace tasuki
