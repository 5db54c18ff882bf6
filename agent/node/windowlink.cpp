// SPDX-License-Identifier: GPL-3.0-or-later
#include "windowlink.h"

#include "startup/slotcount.h"

#include <chrono>
#include <utility>

namespace tasuki {

namespace {

constexpr std::chrono::milliseconds statusPause{500};

planning::PlanServiceLimits planLimits()
{
    planning::PlanServiceLimits limits;
    limits.pace.threads = static_cast<std::uint32_t>(usableCores());
    return limits;
}

} // namespace

Result<std::unique_ptr<link::WindowServer>> serveWindows(link::LinkOptions options,
                                                         link::LinkCallbacks callbacks)
{
    auto started = link::LinkServer::start(std::move(options), std::move(callbacks));
    if (!started)
        return started.error();
    return std::unique_ptr<link::WindowServer>(std::move(*started));
}

Result<std::unique_ptr<WindowLink>> WindowLink::open(link::LinkOptions options, Reactor& reactor,
                                                     farm::Master& master, const RunState& state,
                                                     const Clock& clock,
                                                     std::function<void(const std::string&)> say,
                                                     const ServeWindows& serve)
{
    std::unique_ptr<WindowLink> made(new WindowLink(reactor, master, state, clock, std::move(say)));
    Result<std::unique_ptr<link::WindowServer>> server = serve(std::move(options),
                                                               made->callbacks());
    if (!server)
        return server.error();
    made->m_server = std::move(*server);
    return made;
}

WindowLink::WindowLink(Reactor& reactor, farm::Master& master, const RunState& state,
                       const Clock& clock, std::function<void(const std::string&)> say)
    : m_reactor(reactor),
      m_master(master),
      m_state(state),
      m_say(std::move(say)),
      m_plans(clock, planLimits())
{}

WindowLink::~WindowLink() { *m_alive = false; }

/// From the link's thread, which ends before this does.
void WindowLink::post(std::function<void()> work)
{
    m_reactor.post([this, alive = m_alive, work = std::move(work)]() mutable {
        if (*alive)
            m_wishes.take(std::move(work));
    });
}

/// Called on the link's thread; what they post is run on the reactor's, or never when the reactor
/// stops, or this ends, first.
link::LinkCallbacks WindowLink::callbacks()
{
    return {
        .command =
            [this](link::ClientLabel client, OperatorCommand command,
                   std::function<void(CommandAnswer)> reply) {
                post([this, who = std::move(client.operatorName), command = std::move(command),
                      reply = std::move(reply)]() mutable {
                    m_master.operate(std::move(who), std::move(command), std::move(reply));
                });
            },
        .output =
            [this](OutputQuery query, std::function<void(OutputAnswer)> reply) {
                post([this, query, reply = std::move(reply)]() mutable {
                    m_master.peek(query, std::move(reply));
                });
            },
        .task =
            [this](TaskId id, std::function<void(std::optional<Task>)> reply) {
                post([this, id, reply = std::move(reply)] {
                    reply(id.value() < m_state.tasks().size() ? std::optional(m_state.task(id).task)
                                                              : std::nullopt);
                });
            },
        .log =
            [this](Severity severity, std::string line) {
                if (severity == Severity::Information)
                    return; // windows come and go
                post([this, line = std::move(line)] { m_say(line); });
            },
        .plan =
            [this](std::uint64_t window, link::PlanWish wish, link::PlanOutlet outlet) {
                m_plans.take(window, std::move(wish), std::move(outlet));
            },
        .left = [this](std::uint64_t window) { m_plans.left(window); },
    };
}

void WindowLink::published(std::vector<Event> committed)
{
    m_server->published(std::make_shared<const std::vector<Event>>(std::move(committed)));
}

void WindowLink::tick(SteadyTime now, WallTime wallNow, std::size_t uncommitted, bool recovery,
                      const std::string& stalled, const std::vector<RankProgram>& programs)
{
    if (now - m_lastStatus < statusPause)
        return;
    m_lastStatus = now;
    m_server->status({.now = wallNow,
                      .phase = std::string(farm::phaseName(m_master.phase())),
                      .stalled = stalled,
                      .slots = m_master.slotCount(),
                      .outstanding = m_master.outstanding(),
                      .uncommitted = uncommitted,
                      .recovery = recovery,
                      .programs = programs});
}

} // namespace tasuki
