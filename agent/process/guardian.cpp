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

// What an epoll event is about: one of these, or twice an attempt's serial number, plus 1 for its
// standard error.
constexpr std::uint64_t socketTag = 0;
constexpr std::uint64_t signalTag = 1;

/// Of a lease: so long this process sleeps at most, and so late it may be, before it counts as stopped.
constexpr int latenessShare = 8;
/// Of a lease, which is 25 beats: the 10 that a suspended processor has.
constexpr int excusedFifths = 2;

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
    : m_socket(std::move(socket)), m_pid(::getpid()), m_taskDescriptors(taskDescriptors)
{}

Result<void> Guardian::run()
{
    Result<void> result = setUp();
    if (result)
        result = serve();
    killEverything();
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
    epoll_event event{};
    event.events = EPOLLIN;
    event.data.u64 = socketTag;
    if (::epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, m_socket.get(), &event) != 0)
        return systemError("cannot watch the agent's socket", errno);
    event.data.u64 = signalTag;
    if (::epoll_ctl(m_epoll.get(), EPOLL_CTL_ADD, m_signals.get(), &event) != 0)
        return systemError("cannot watch for ended processes", errno);
    return {};
}

Result<void> Guardian::serve()
{
    std::array<epoll_event, 64> events;
    while (!m_agentGone) {
        if (m_flushNow)
            flush();
        const int wait = waitMilliseconds();
        const int count = ::epoll_wait(m_epoll.get(), events.data(),
                                       static_cast<int>(events.size()), wait);
        if (count < 0 && errno != EINTR)
            return systemError("cannot wait for events", errno);
        noteLateness(wait);
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
        handleTime(now);
        removeEnded();
    }
    return {};
}

/// Whoever stopped this process may have stopped the agent as well, or the whole machine: the agent gets
/// time to say that it goes on, from now, and as long as it has itself to hear of others. But once: however
/// often this process is late, an agent that says nothing loses its tasks.
/// @param wait  for which this process slept of its own accord; negative: no lease runs
void Guardian::noteLateness(int wait)
{
    const SteadyTime now = m_leaseClock.now();
    const SteadyTime before = std::exchange(m_lastTurn, now);
    if (!m_configure || wait < 0 || m_excused
        || now - before <= std::chrono::milliseconds(wait) + m_configure->lease / latenessShare)
        return;
    const SteadyTime until = now + m_configure->lease * excusedFifths / 5;
    m_excused = until > m_leaseEnd;
    m_leaseEnd = std::max(m_leaseEnd, until);
}

void Guardian::handleEvent(const epoll_event& event)
{
    if (event.data.u64 == socketTag) {
        if ((event.events & EPOLLOUT) != 0)
            m_flushNow = true;
        return;
    }
    if (event.data.u64 == signalTag) {
        std::array<signalfd_siginfo, 16> drained;
        while (::read(m_signals.get(), drained.data(), sizeof drained)
               == static_cast<ssize_t>(sizeof drained)) {}
        reap();
        return;
    }
    RunningAttempt* const attempt = find(event.data.u64 >> 1U);
    if (attempt == nullptr)
        return;
    CapturedPipe& pipe = (event.data.u64 & 1U) == 0 ? attempt->output : attempt->error;
    if (pipe.fd() >= 0 && pipe.readSome() != 0)
        answerFetches(attempt->launch.key);
}

Result<void> Guardian::receive()
{
    const Transfer transfer = m_reader.receive(m_socket.get());
    if (transfer == Transfer::Closed)
        m_agentGone = true;
    if (transfer != Transfer::Done)
        return {};
    if (m_configure)
        m_leaseEnd = m_leaseClock.now() + m_configure->lease;
    m_leaseOver = m_excused = false;
    for (;;) {
        auto body = m_reader.next();
        if (!body)
            return body.error();
        if (!*body)
            return {};
        auto command = decodeCommand(**body);
        if (!command)
            return command.error();
        if (m_configure.has_value() == std::holds_alternative<Configure>(*command))
            return Error{ErrorKind::Protocol, "the guardian must be configured first, and once"};
        std::visit([this](auto& message) { handle(std::move(message)); }, *command);
    }
}

void Guardian::report(const Report& report, Urgency urgency)
{
    m_writer.queue(encode(report));
    if (urgency == Urgency::Now)
        m_flushNow = true;
}

void Guardian::flush()
{
    m_flushNow = false;
    const Transfer transfer = m_writer.flush(m_socket.get());
    if (transfer == Transfer::Closed)
        m_agentGone = true;
    const bool wanted = transfer == Transfer::WouldBlock;
    if (wanted == m_watchesWriting)
        return;
    m_watchesWriting = wanted;
    epoll_event event{};
    event.events = wanted ? EPOLLIN | EPOLLOUT : EPOLLIN;
    event.data.u64 = socketTag;
    ::epoll_ctl(m_epoll.get(), EPOLL_CTL_MOD, m_socket.get(), &event);
}

int Guardian::waitMilliseconds() const
{
    std::optional<SteadyTime> next;
    const auto consider = [&](SteadyTime time) { next = next ? std::min(*next, time) : time; };
    // In short sleeps: what this process oversleeps is seen, however long after a word of the agent.
    if (m_configure && m_configure->lease.count() > 0 && !m_leaseOver)
        consider(std::chrono::steady_clock::now()
                 + std::min<std::chrono::nanoseconds>(m_leaseEnd - m_leaseClock.now(),
                                                      m_configure->lease / latenessShare));
    if (m_clearing)
        consider(m_nextClear);
    for (const auto& attempt : m_attempts) {
        if (attempt->phase == AttemptPhase::Preparing)
            return 0;
        if (attempt->phase == AttemptPhase::Waiting)
            consider(attempt->nextLook);
        else if (!attempt->settled)
            consider(attempt->settleAt);
        if (attempt->deadline)
            consider(*attempt->deadline);
        if (attempt->phase == AttemptPhase::Terminating
            || (attempt->phase == AttemptPhase::Killing && !m_clearing))
            consider(attempt->nextLook);
    }
    if (m_flushNow)
        return 0;
    if (!next)
        return -1;
    const auto wait = std::chrono::ceil<std::chrono::milliseconds>(
        *next - std::chrono::steady_clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(wait.count(), 0, 60'000));
}

void Guardian::handleTime(SteadyTime now)
{
    checkLease();
    // finish() leaves attempts in place until removeEnded(), so the references stay good.
    for (std::size_t i = 0; i < m_attempts.size(); ++i) {
        RunningAttempt& attempt = *m_attempts[i];
        if (attempt.phase == AttemptPhase::Preparing)
            writeScript(attempt);
        else if (attempt.phase == AttemptPhase::Waiting && now >= attempt.nextLook)
            prepare(attempt);
        else if (attempt.pid > 0 && !attempt.settled && attempt.phase != AttemptPhase::Ended
                 && now >= attempt.settleAt)
            settle(attempt);
        if (attempt.phase == AttemptPhase::Running && attempt.deadline && now >= *attempt.deadline)
            stop(attempt, Outcome::TimedOut, AttemptEvent::StopGently);
    }
    lookAfterStopping(now);
}

void Guardian::handle(Configure command)
{
    m_configure = std::move(command);
    if (!m_configure->spoolDirectory.empty())
        m_store.emplace(m_configure->spoolDirectory);
    m_leaseEnd = m_leaseClock.now() + m_configure->lease;
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

void Guardian::handle(KeepAlive) { report(Alive{}, Urgency::Now); }

} // namespace tasuki::guardian
