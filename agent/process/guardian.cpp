// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/guardian.h"

#include <sched.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <utility>

namespace tasuki::guardian {
namespace {

// What an epoll event is about: one of these, or what the runner watches.
constexpr std::uint64_t socketTag = 0;
constexpr std::uint64_t signalTag = 1;
static_assert(AttemptRunner::firstTag > signalTag);

void allowAllProcessors()
{
    // The system narrows this down to what the control group allows.
    cpu_set_t all;
    CPU_ZERO(&all);
    for (std::size_t i = 0; i < CPU_SETSIZE; ++i)
        CPU_SET(i, &all);
    ::sched_setaffinity(0, sizeof all, &all);
}

} // namespace

Guardian::Guardian(UniqueFd socket, const rlimit& taskDescriptors)
    : m_channel(std::move(socket)),
      m_runner(taskDescriptors, m_channel, m_shelf),
      m_stopper(m_configure, m_runner, m_channel)
{}

Result<void> Guardian::run()
{
    Result<void> result = setUp();
    if (result)
        result = serve();
    m_stopper.killEverything();
    return result;
}

Result<void> Guardian::setUp()
{
    m_epoll.reset(::epoll_create1(EPOLL_CLOEXEC));
    if (!m_epoll)
        return systemError("cannot create an epoll instance", errno);
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGCHLD);
    m_signals.reset(::signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK));
    if (!m_signals)
        return systemError("cannot create a signal descriptor", errno);
    if (auto watched = m_channel.watch(m_epoll.get(), socketTag); !watched)
        return watched;
    m_runner.watchWith(m_epoll.get());
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = signalTag;
    if (::epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, m_signals.get(), &event) != 0)
        return systemError("cannot watch for ended processes", errno);
    return {};
}

Result<void> Guardian::serve()
{
    std::array<epoll_event, 64> events;
    while (!m_channel.isClosed()) {
        m_channel.flushIfDue();
        const auto wait = longestWait();
        const int count = ::epoll_wait(m_epoll.get(), events.data(),
                                       static_cast<int>(events.size()),
                                       wait ? static_cast<int>(wait->count()) : -1);
        if (count < 0 && errno != EINTR)
            return systemError("cannot wait for events", errno);
        const SteadyTime turn = m_leaseClock.now();
        m_lease.noteTurn(wait, turn);
        const SteadyTime now = std::chrono::steady_clock::now();
        bool readable = false;
        for (int i = 0; i < count; ++i) {
            const epoll_event& event = events[static_cast<std::size_t>(i)];
            if (event.data.u64 == socketTag)
                readable = (event.events & ~static_cast<std::uint32_t>(EPOLLOUT)) != 0;
            handleEvent(event);
        }
        if (readable) {
            if (auto received = receive(); !received)
                return received;
        }
        // As of the begin of the turn: while this process was busy with a long command, the agent may have spoken.
        if (m_lease.runsOut(turn))
            m_stopper.stopAll(Outcome::Lost, AttemptEvent::StopNow);
        handleTime(now);
        m_runner.removeEnded();
    }
    return {};
}

void Guardian::handleEvent(const epoll_event& event)
{
    if (event.data.u64 == socketTag) {
        if ((event.events & EPOLLOUT) != 0)
            m_channel.hurry();
    } else if (event.data.u64 == signalTag) {
        std::array<signalfd_siginfo, 16> drained;
        while (::read(m_signals.get(), drained.data(), sizeof drained)
               == static_cast<ssize_t>(sizeof drained)) {}
        m_runner.reap();
    } else {
        m_runner.read(event.data.u64);
    }
}

Result<void> Guardian::receive()
{
    if (!m_channel.receive())
        return {};
    m_lease.renew(m_leaseClock.now());
    for (;;) {
        auto command = m_channel.next();
        if (!command)
            return command.error();
        if (!*command)
            return {};
        if (m_configure.has_value() == std::holds_alternative<Configure>(**command))
            return Error{ErrorKind::Protocol, "the guardian must be configured first, and once"};
        std::visit([this](auto& message) { handle(std::move(message)); }, **command);
    }
}

std::optional<std::chrono::milliseconds> Guardian::longestWait() const
{
    std::optional<SteadyTime> next;
    const auto consider = [&](SteadyTime time) { next = next ? std::min(*next, time) : time; };
    if (const auto sleep = m_lease.longestSleep(m_leaseClock.now()))
        consider(std::chrono::steady_clock::now() + *sleep);
    if (m_stopper.clearing())
        consider(m_stopper.nextClear());
    for (const auto& attempt : m_runner.attempts()) {
        if (attempt->phase == AttemptPhase::Preparing)
            return std::chrono::milliseconds(0);
        if (attempt->phase == AttemptPhase::Waiting)
            consider(attempt->nextLook);
        else if (!attempt->settled)
            consider(attempt->settleAt);
        if (attempt->deadline)
            consider(*attempt->deadline);
        if (attempt->phase == AttemptPhase::Terminating
            || (attempt->phase == AttemptPhase::Killing && !m_stopper.clearing()))
            consider(attempt->nextLook);
    }
    if (m_channel.flushIsDue())
        return std::chrono::milliseconds(0);
    if (!next)
        return std::nullopt;
    return std::clamp(
        std::chrono::ceil<std::chrono::milliseconds>(*next - std::chrono::steady_clock::now()),
        std::chrono::milliseconds(0), std::chrono::milliseconds(60'000));
}

void Guardian::handleTime(SteadyTime now)
{
    // What has ended stays in place until removeEnded(), so the references stay good.
    for (const auto& attempt : m_runner.attempts()) {
        m_runner.goOn(*attempt, now);
        if (attempt->phase == AttemptPhase::Running && attempt->deadline
            && now >= *attempt->deadline)
            m_stopper.stop(*attempt, Outcome::TimedOut, AttemptEvent::StopGently);
    }
    m_stopper.lookAfter(now);
}

void Guardian::handle(Configure command)
{
    m_configure = std::move(command);
    if (!m_configure->spoolDirectory.empty())
        m_shelf.open(m_configure->spoolDirectory);
    m_lease.grant(m_configure->lease, m_leaseClock.now());
    if (m_configure->resetAffinity)
        allowAllProcessors();
    // A directory that cannot be entered fails each task that wants it, with the reason.
    if (!m_configure->directory.empty() && ::chdir(m_configure->directory.c_str()) == 0)
        m_configure->directory.clear();
}

void Guardian::handle(DefineSettings command)
{
    if (command.directory.empty())
        command.directory = m_configure->directory;
    m_settings[command.id] = std::shared_ptr<SettingsBlock>(
        new SettingsBlock{command.timeout, std::move(command.directory),
                          TaskEnvironment(environ, m_configure->run, m_configure->epoch,
                                          m_configure->rank, command.environment)});
}

void Guardian::handle(ForgetSettings command) { m_settings.erase(command.id); }

void Guardian::handle(Start command)
{
    const auto settings = m_settings.find(command.settings);
    if (settings == m_settings.end()) {
        AttemptResult result;
        result.outcome = Outcome::NotStarted;
        result.code = EPROTO;
        m_channel.report(Finished{command.key, std::move(result)}, AgentChannel::Urgency::Now);
        return;
    }
    RunningAttempt& attempt = m_runner.add(std::move(command), settings->second, *m_configure);
    if (const auto outcome = m_stopper.clearing())
        m_stopper.stop(attempt, *outcome, AttemptEvent::StopNow);
    else
        m_runner.begin(attempt);
}

void Guardian::handle(Stop command)
{
    if (RunningAttempt* const attempt = m_runner.running(command.key))
        m_stopper.stop(*attempt, command.reason);
}

void Guardian::handle(StopAll command) { m_stopper.stopAll(command); }

/// Only one whose first process is not reaped: the number of its group may be another's else.
void Guardian::handle(Signal command)
{
    for (const auto& attempt : m_runner.attempts()) {
        if (attempt->launch.key == command.key && attempt->phase == AttemptPhase::Running
            && attempt->pid > 1 && !attempt->exited)
            ::kill(-attempt->pid, command.number);
    }
}

void Guardian::handle(Peek command)
{
    m_channel.report(Peeked{command.token,
                            OutputShelf::peek(command.query, m_runner.running(command.query.key))},
                     AgentChannel::Urgency::Now);
}

void Guardian::handle(Fetch command) { m_runner.answer(command); }

void Guardian::handle(Release command) { m_shelf.release(command.key); }

void Guardian::handle(KeepAlive) { m_channel.report(Alive{}, AgentChannel::Urgency::Now); }

} // namespace tasuki::guardian
