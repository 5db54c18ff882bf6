// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "runplan.h"

#include "domain/clock.h"
#include "domain/result.h"
#include "membership/briefing.h"

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

namespace tasuki {

/// Opens the record of a launch for a successor: planSuccession() on a thread of its own, for it reads
/// the whole file, and meanwhile the main loop must turn. While the former writer still has the file
/// it is tried again, and the file taken from it soon; on a full disk it is tried until there is room.
/// Precondition: this processor leads by its view. The former writer may write no more then.
class RecordOpener {
public:
    /// @param post    runs a function on the reactor's thread, from any thread
    /// @param opened  called once on the reactor's thread; not after the destructor has begun
    RecordOpener(Briefing briefing, WallTime now, std::function<void(std::function<void()>)> post,
                 std::function<void(Result<RunPlan>)> opened);
    /// Waits for an attempt that is under way.
    ~RecordOpener();
    RecordOpener(const RecordOpener&) = delete;
    RecordOpener& operator=(const RecordOpener&) = delete;

private:
    void run();
    bool pause(std::chrono::milliseconds time);

    const Briefing m_briefing;
    const WallTime m_now;
    const std::function<void(std::function<void()>)> m_post;
    const std::function<void(Result<RunPlan>)> m_opened; ///< reactor's thread
    /// Lets what was posted before the destruction find out that nobody listens.
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
    std::mutex m_mutex;
    std::condition_variable m_wake;
    bool m_stopping = false; ///< guarded by m_mutex
    std::thread m_thread;
};

} // namespace tasuki
