// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "farm/holdqueue.h"
#include "farm/master.h"
#include "link/linkserver.h"
#include "planning/planservice.h"
#include "reactor/reactor.h"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tasuki {

/// Begins to serve windows. As LinkServer::start().
using ServeWindows = std::function<Result<std::unique_ptr<link::WindowServer>>(
    link::LinkOptions, link::LinkCallbacks)>;
Result<std::unique_ptr<link::WindowServer>> serveWindows(link::LinkOptions options,
                                                         link::LinkCallbacks callbacks);

/// Brings windows and the master of a farm together: hands commands from the link's thread to the
/// reactor's, and events and the agent's status the other way. Plans of windows are no affair of the
/// farm: they are worked out in threads of their own.
class WindowLink {
public:
    /// @param reactor, master, state  outlive the link and are used on the reactor's thread alone
    /// @param clock  outlives the link
    /// @param say  writes a line of the agent's log, on the reactor's thread
    /// @param serve  serveWindows; another one in tests
    /// @return an Error when windows cannot be served: the run can go on without
    static Result<std::unique_ptr<WindowLink>> open(link::LinkOptions options, Reactor& reactor,
                                                    farm::Master& master, const RunState& state,
                                                    const Clock& clock,
                                                    std::function<void(const std::string&)> say,
                                                    const ServeWindows& serve);

    /// Events are in the record.
    void published(std::vector<Event> committed);
    /// Tells windows how the agent is, when it is time to.
    /// @param stalled   why the record cannot be written; empty: it can
    /// @param programs  of worlds
    void tick(SteadyTime now, WallTime wallNow, std::size_t uncommitted, bool recovery,
              const std::string& stalled, const std::vector<RankProgram>& programs = {});
    /// While held the master hears nothing of what windows want: it is said to it afterwards.
    void hold(bool held) { m_wishes.hold(held); }
    /// No window hears anything any more after `reason`.
    void close(std::string reason) { m_server->close(std::move(reason)); }
    /// Nobody is told anything: windows look for another agent of the run, as if this one had crashed.
    void drop() { m_server->drop(); }

    ~WindowLink();
    WindowLink(const WindowLink&) = delete;
    WindowLink& operator=(const WindowLink&) = delete;

private:
    void post(std::function<void()> work);
    WindowLink(Reactor& reactor, farm::Master& master, const RunState& state, const Clock& clock,
               std::function<void(const std::string&)> say);
    link::LinkCallbacks callbacks();

    Reactor& m_reactor;
    farm::Master& m_master;
    const RunState& m_state;
    std::function<void(const std::string&)> m_say;
    SteadyTime m_lastStatus{};
    farm::HoldQueue m_wishes; ///< of windows
    /// Lets what was posted before the destruction find out that nobody listens.
    std::shared_ptr<bool> m_alive = std::make_shared<bool>(true);
    planning::PlanService m_plans;
    std::unique_ptr<link::WindowServer> m_server; ///< ends before what its callbacks use
};

} // namespace tasuki
