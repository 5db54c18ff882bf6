// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>

namespace tasuki {

/// Ends the process when its holder does not get done in time. For calls into a library that can
/// neither be interrupted nor told a time limit.
class LeaveGuard {
public:
    /// @param exitCode  of the process when `patience` runs out before the guard is destroyed
    LeaveGuard(std::chrono::milliseconds patience, int exitCode);
    LeaveGuard(const LeaveGuard&) = delete;
    LeaveGuard& operator=(const LeaveGuard&) = delete;
    ~LeaveGuard();

private:
    std::mutex m_mutex;
    std::condition_variable m_changed;
    bool m_done = false;
    std::thread m_thread;
};

} // namespace tasuki
