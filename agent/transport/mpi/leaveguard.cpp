// SPDX-License-Identifier: GPL-3.0-or-later
#include "leaveguard.h"

#include <unistd.h>

namespace tasuki {

LeaveGuard::LeaveGuard(std::chrono::milliseconds patience, int exitCode)
    : m_thread([this, patience, exitCode] {
          std::unique_lock lock(m_mutex);
          if (!m_changed.wait_for(lock, patience, [this] { return m_done; }))
              _exit(exitCode);
      })
{}

LeaveGuard::~LeaveGuard()
{
    {
        const std::lock_guard lock(m_mutex);
        m_done = true;
    }
    m_changed.notify_one();
    m_thread.join();
}

} // namespace tasuki
