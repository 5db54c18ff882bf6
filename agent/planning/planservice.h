// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "planwork.h"

#include "domain/clock.h"

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <vector>

namespace tasuki::planning {

struct PlanServiceLimits {
    std::size_t plans = 4; ///< of all windows together; further ones are refused
    std::uint64_t traceBytes = std::uint64_t{256} * 1024 * 1024;
    std::uint64_t environmentBytes = std::uint64_t{16} * 1024 * 1024;
    /// Of the files of all plans together; further plans are refused.
    std::uint64_t allBytes = std::uint64_t{512} * 1024 * 1024;
    /// Who sends nothing for so long gives way to others.
    std::chrono::seconds upload{60};
    PlanPace pace = {};
};

/// Plans for windows: takes traces and environments, and searches one plan after the other, in a
/// thread of its own and those that it starts, all at the lowest priority.
///
///   state     | event                         | is told                      | next
///   ----------+-------------------------------+------------------------------+----------
///             | PlanRequest, there is room    |                              | Receiving
///             | PlanRequest, no room, or its  | Ended: Failed                |
///             | files are too large           |                              |
///   Receiving | PlanPiece, more is to come    |                              | Receiving
///   Receiving | PlanPiece, the last one       | Progress: Waiting            | Waiting
///   Receiving | PlanPiece that does not fit   | Ended: Failed                | over
///   Receiving | silent for too long, and      | Ended: Failed                | over
///             | another plan needs the room   |                              |
///   Receiving,| PlanCancel                    | Ended: Stopped               | over
///   Waiting   |                               |                              |
///   Waiting   | the plan before it is over    | Progress: Reading, Searching;| Running
///             |                               | what was found so far        |
///   Running   | PlanCancel                    |                              | Running, ends soon
///   Running   | it ends                       | Found, Ended                 | over
///   any       | PlanRequest of the same window| Ended: Replaced              | over
///   any       | the window leaves             |                              | over
///
/// What is said of other numbers changes nothing. A plan that is over while it runs is stopped, and
/// counts no more.
class PlanService {
public:
    /// Sends messages to a window; must not wait nor call back.
    using Outlet = std::function<void(std::vector<link::AgentMessage>, bool mayBeLeftOut)>;

    /// @param clock  outlives the service
    PlanService(const Clock& clock, PlanServiceLimits limits);
    /// Stops all plans, of which nothing more is told. Waits for a trace that is being compiled.
    ~PlanService();
    PlanService(const PlanService&) = delete;
    PlanService& operator=(const PlanService&) = delete;

    // Any thread; never wait for a plan.
    void take(std::uint64_t window, link::PlanWish wish, Outlet outlet);
    void left(std::uint64_t window);

private:
    enum class State : std::uint8_t { Receiving, Waiting, Running };
    struct Plan;
    using Plans = std::list<std::shared_ptr<Plan>>;

    // All with the mutex held.
    void begin(std::uint64_t window, link::PlanRequest request, Outlet outlet);
    void receive(Plan& plan, link::PlanPiece piece);
    void cancel(Plan& plan);
    /// @return why there is no room for it, for people; empty: there is
    [[nodiscard]] std::string refusal(const link::PlanRequest& request);
    [[nodiscard]] bool hasRoom(const link::PlanRequest& request) const;
    Plans::iterator find(std::uint64_t window);
    /// Tells its end, unless `end` is null, and forgets it.
    void drop(Plans::iterator place, const link::PlanEnded* end);
    void dropNumber(Plan& plan, link::PlanEnd end, std::string reason);
    void startWorker();

    void work(const std::stop_token& stop);
    void run(const std::shared_ptr<Plan>& plan);

    const Clock& m_clock;
    const PlanServiceLimits m_limits;
    std::mutex m_mutex;
    std::condition_variable_any m_wake;
    Plans m_plans;                   ///< in the order of their requests
    std::shared_ptr<Plan> m_running; ///< may be no more in m_plans
    std::jthread m_worker;
};

} // namespace tasuki::planning
