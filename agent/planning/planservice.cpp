// SPDX-License-Identifier: GPL-3.0-or-later
#include "planservice.h"

#include <algorithm>
#include <csignal>
#include <exception>
#include <utility>

#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace tasuki::planning {

namespace {

constexpr int lowestPriority = 19;
constexpr std::uint64_t mebibyte = std::uint64_t{1024} * 1024;

/// On Linux a priority is one thread's, and handed on to those that it starts.
void takeLowestPriority()
{
    const auto thread = static_cast<id_t>(::syscall(SYS_gettid));
    static_cast<void>(::setpriority(PRIO_PROCESS, thread, lowestPriority));
}

/// A thread that takes none of the process's signals, nor do those that it starts.
template <class Body>
std::jthread signalFreeThread(Body body)
{
    sigset_t all;
    sigset_t before;
    sigfillset(&all);
    ::pthread_sigmask(SIG_SETMASK, &all, &before);
    std::jthread thread(std::move(body));
    ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
    return thread;
}

std::string tooLarge(const char* file, std::uint64_t bytes, std::uint64_t limit)
{
    return std::string("the ") + file + " has " + std::to_string(bytes / mebibyte)
        + " MiB, an agent takes up to " + std::to_string(limit / mebibyte)
        + " MiB; search in the window, or with tasuki-agent plan";
}

} // namespace

struct PlanService::Plan {
    std::uint64_t window = 0;
    link::PlanRequest request;
    Outlet outlet;
    PlanContent content;
    State state = State::Receiving;
    SteadyTime heard;
    std::stop_source stop = {};
    bool over = false; ///< nothing more is told
};

PlanService::PlanService(const Clock& clock, PlanServiceLimits limits)
    : m_clock(clock), m_limits(limits)
{}

PlanService::~PlanService()
{
    const std::lock_guard lock(m_mutex);
    for (const auto& plan : m_plans)
        plan->over = true;
    if (m_running) {
        m_running->over = true;
        m_running->stop.request_stop();
    }
    m_worker.request_stop();
}

PlanService::Plans::iterator PlanService::find(std::uint64_t window)
{
    return std::ranges::find(m_plans, window, [](const auto& plan) { return plan->window; });
}

void PlanService::drop(Plans::iterator place, const link::PlanEnded* end)
{
    const std::shared_ptr<Plan> plan = *place;
    m_plans.erase(place);
    plan->over = true;
    plan->stop.request_stop();
    if (end != nullptr)
        plan->outlet({*end}, false);
}

void PlanService::dropNumber(Plan& plan, link::PlanEnd end, std::string reason)
{
    const link::PlanEnded ended{
        .number = plan.request.number, .end = end, .reason = std::move(reason), .notes = {}};
    drop(find(plan.window), &ended);
}

void PlanService::take(std::uint64_t window, link::PlanWish wish, Outlet outlet)
{
    const std::lock_guard lock(m_mutex);
    if (auto* request = std::get_if<link::PlanRequest>(&wish))
        return begin(window, std::move(*request), std::move(outlet));
    const auto place = find(window);
    if (place == m_plans.end())
        return;
    Plan& plan = **place;
    if (auto* piece = std::get_if<link::PlanPiece>(&wish)) {
        if (piece->number == plan.request.number && plan.state == State::Receiving)
            receive(plan, std::move(*piece));
    } else if (std::get<link::PlanCancel>(wish).number == plan.request.number) {
        cancel(plan);
    }
}

void PlanService::left(std::uint64_t window)
{
    const std::lock_guard lock(m_mutex);
    if (const auto place = find(window); place != m_plans.end())
        drop(place, nullptr);
}

std::string PlanService::refusal(const link::PlanRequest& request)
{
    if (request.traceBytes > m_limits.traceBytes)
        return tooLarge("trace", request.traceBytes, m_limits.traceBytes);
    if (request.environmentBytes > m_limits.environmentBytes)
        return tooLarge("environment", request.environmentBytes, m_limits.environmentBytes);
    while (!hasRoom(request)) {
        const auto silent = std::ranges::find_if(m_plans, [this](const auto& plan) {
            return plan->state == State::Receiving && m_clock.now() - plan->heard > m_limits.upload;
        });
        if (silent == m_plans.end())
            return "this agent has plans to work out already, " + std::to_string(m_plans.size())
                + " in all; try again later, or search in the window";
        dropNumber(**silent, link::PlanEnd::Failed,
                   "the rest of its files did not come for "
                       + std::to_string(m_limits.upload.count()) + " s, and others waited");
    }
    return {};
}

bool PlanService::hasRoom(const link::PlanRequest& request) const
{
    std::uint64_t bytes = request.traceBytes + request.environmentBytes;
    for (const auto& plan : m_plans)
        bytes += plan->request.traceBytes + plan->request.environmentBytes;
    return m_plans.empty() || (m_plans.size() < m_limits.plans && bytes <= m_limits.allBytes);
}

void PlanService::begin(std::uint64_t window, link::PlanRequest request, Outlet outlet)
{
    if (const auto former = find(window); former != m_plans.end())
        dropNumber(**former, link::PlanEnd::Replaced, {});
    if (std::string reason = refusal(request); !reason.empty())
        return outlet({link::PlanEnded{.number = request.number,
                                       .end = link::PlanEnd::Failed,
                                       .reason = std::move(reason),
                                       .notes = {}}},
                      false);
    auto plan = std::make_shared<Plan>(Plan{.window = window,
                                            .request = std::move(request),
                                            .outlet = std::move(outlet),
                                            .content = {},
                                            .heard = m_clock.now()});
    plan->content = PlanContent(plan->request);
    m_plans.push_back(std::move(plan));
}

void PlanService::receive(Plan& plan, link::PlanPiece piece)
{
    if (const Result<void> added = plan.content.add(std::move(piece)); !added)
        return dropNumber(plan, link::PlanEnd::Failed, added.error().text());
    plan.heard = m_clock.now();
    if (!plan.content.complete())
        return;
    plan.state = State::Waiting;
    plan.outlet({link::PlanProgress{.number = plan.request.number}}, true);
    startWorker();
    m_wake.notify_one();
}

void PlanService::cancel(Plan& plan)
{
    if (plan.state == State::Running)
        plan.stop.request_stop();
    else
        dropNumber(plan, link::PlanEnd::Stopped, {});
}

void PlanService::startWorker()
{
    // An agent that is never asked has no thread for it.
    if (!m_worker.joinable())
        m_worker = signalFreeThread([this](const std::stop_token& stop) { work(stop); });
}

void PlanService::work(const std::stop_token& stop)
{
    takeLowestPriority();
    const auto next = [this] {
        return std::ranges::find(m_plans, State::Waiting,
                                 [](const auto& plan) { return plan->state; });
    };
    std::unique_lock lock(m_mutex);
    while (m_wake.wait(lock, stop, [&] { return next() != m_plans.end(); })) {
        if (stop.stop_requested())
            return;
        const std::shared_ptr<Plan> plan = *next();
        plan->state = State::Running;
        m_running = plan;
        lock.unlock();
        run(plan);
        lock.lock();
        m_running.reset();
    }
}

void PlanService::run(const std::shared_ptr<Plan>& plan)
{
    std::vector<link::AgentMessage> last;
    try {
        last = workOutPlan(plan->request, plan->content, m_limits.pace, plan->stop.get_token(),
                           [&](std::vector<link::AgentMessage> messages) {
                               const std::lock_guard lock(m_mutex);
                               if (!plan->over)
                                   plan->outlet(std::move(messages), true);
                           });
    } catch (const std::exception& failure) {
        // Out of memory, say: the agent has other things to do.
        last = {link::PlanEnded{.number = plan->request.number,
                                .end = link::PlanEnd::Failed,
                                .reason = std::string("the search failed: ") + failure.what(),
                                .notes = {}}};
    }
    plan->content = {};
    const std::lock_guard lock(m_mutex);
    if (std::exchange(plan->over, true))
        return;
    m_plans.remove(plan);
    plan->outlet(std::move(last), false);
}

} // namespace tasuki::planning
