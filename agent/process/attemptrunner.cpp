// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/attemptrunner.h"

#include "files/wholefile.h"

#include <fcntl.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>

namespace tasuki::guardian {
namespace {

/// How much of a long command is copied before others get their turn.
constexpr std::size_t scriptStep = 8 * 1024 * 1024;
/// How long an attempt is left alone before its pipes are watched and its start is reported. Most
/// short tasks end before that and spare the guardian and the agent a wake-up each.
constexpr std::chrono::milliseconds settleTime{3};
/// Between two tries of an attempt for which there was no room.
constexpr std::chrono::milliseconds shortagePause{100};
/// How long it is tried while no attempt runs here whose end would make room.
constexpr std::chrono::seconds shortageLimit{60};

static_assert(std::tuple_size_v<ChildStreams> <= mostDescriptors);

struct StreamEnds {
    UniqueFd near; ///< of the guardian or the agent
    UniqueFd far;  ///< of the child
};

/// @return a stream whose near end does not block, or one without ends, with errno
StreamEnds makeStream(ChildStream stream)
{
    std::array<int, 2> ends{-1, -1};
    if ((stream == ChildStream::Channel
             ? ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data())
             : ::pipe2(ends.data(), O_CLOEXEC))
        != 0)
        return {};
    if (stream == ChildStream::FromAgent)
        std::swap(ends[0], ends[1]);
    StreamEnds made{UniqueFd(ends[0]), UniqueFd(ends[1])};
    // Only the near end: a child must get a stream that behaves as usual.
    if (::fcntl(ends[0], F_SETFL, O_NONBLOCK) != 0)
        return {};
    return made;
}

std::string inodeOf(int descriptor)
{
    struct stat file {};
    return ::fstat(descriptor, &file) == 0 ? std::to_string(file.st_ino) : "0";
}

std::optional<cpu_set_t> coresOf(const Start& launch)
{
    if (launch.cores.empty())
        return std::nullopt;
    cpu_set_t cores;
    CPU_ZERO(&cores);
    for (const std::uint32_t core : launch.cores) {
        if (core < CPU_SETSIZE)
            CPU_SET(core, &cores);
    }
    return cores;
}

} // namespace

RunningAttempt& AttemptRunner::add(Start command, std::shared_ptr<SettingsBlock> settings,
                                   const Configure& configure)
{
    m_attempts.push_back(std::make_unique<RunningAttempt>(
        ++m_lastSerial, std::move(command), std::move(settings), configure, m_shelf.store()));
    RunningAttempt& attempt = *m_attempts.back();
    attempt.begin = std::chrono::steady_clock::now();
    attempt.startedAt = SystemClock().wallNow();
    return attempt;
}

void AttemptRunner::begin(RunningAttempt& attempt)
{
    if (attempt.launch.command.find('\0') != std::string::npos)
        failToStart(attempt, {SpawnStep::Execute, EINVAL});
    else
        prepare(attempt);
}

void AttemptRunner::goOn(RunningAttempt& attempt, SteadyTime now)
{
    if (attempt.phase == AttemptPhase::Preparing)
        writeScript(attempt);
    else if (attempt.phase == AttemptPhase::Waiting && now >= attempt.nextLook)
        prepare(attempt);
    else if (attempt.pid > 0 && !attempt.settled && attempt.phase != AttemptPhase::Ended
             && now >= attempt.settleAt)
        settle(attempt);
}

void AttemptRunner::prepare(RunningAttempt& attempt)
{
    if (attempt.launch.command.size() <= longestArgument || attempt.script) {
        launch(attempt);
        return;
    }
    attempt.script = createScript();
    if (!attempt.script)
        cannotStart(attempt, {SpawnStep::Streams, errno});
    else if (!writeAll(attempt.script.get(), scriptPrefix))
        failToStart(attempt, {SpawnStep::Execute, errno});
    else
        attempt.phase = AttemptPhase::Preparing;
}

void AttemptRunner::writeScript(RunningAttempt& attempt)
{
    std::string& command = attempt.launch.command;
    const std::string_view rest = std::string_view(command).substr(attempt.scriptWritten);
    const std::string_view piece = rest.substr(0, scriptStep);
    if (!writeAll(attempt.script.get(), piece)) {
        failToStart(attempt, {SpawnStep::Execute, errno});
        return;
    }
    attempt.scriptWritten += piece.size();
    if (attempt.scriptWritten < command.size())
        return;
    std::string().swap(command);
    if (writeAll(attempt.script.get(), "\n"))
        launch(attempt);
    else
        failToStart(attempt, {SpawnStep::Execute, errno});
}

void AttemptRunner::launch(RunningAttempt& attempt)
{
    SettingsBlock& settings = *attempt.settings;
    const ChildStreams& streams = streamsOf(attempt.launch.kind);
    ShellPlan plan;
    std::array<StreamEnds, std::tuple_size_v<ChildStreams>> ends;
    for (std::size_t i = 0; i < streams.size(); ++i) {
        const bool wanted = streams[i] != ChildStream::Nothing;
        ends[i] = wanted ? makeStream(streams[i]) : StreamEnds();
        if (wanted && !ends[i].near) {
            cannotStart(attempt, {SpawnStep::Streams, errno});
            return;
        }
        plan.streams[i] = ends[i].far.get();
    }
    attempt.environment = settings.environment.forAttempt(
        attempt.launch.key, attempt.launch.slot,
        inodeOf(plan.streams[STDOUT_FILENO]) + ',' + inodeOf(plan.streams[STDERR_FILENO]),
        streams[channelDescriptor] != ChildStream::Nothing);
    plan.command = attempt.launch.command.c_str();
    plan.script = attempt.script.get();
    plan.environment = attempt.environment.block();
    plan.directory = settings.directory.empty() ? nullptr : settings.directory.c_str();
    plan.descriptors = m_taskDescriptors;
    attempt.cores = coresOf(attempt.launch);
    plan.cores = attempt.cores ? &*attempt.cores : nullptr;
    attempt.begin = std::chrono::steady_clock::now();
    attempt.settleAt = attempt.begin + settleTime;
    attempt.startedAt = SystemClock().wallNow();
    const std::uint64_t beginTicks = nowInTicks();
    auto started = ShellStart::begin(plan);
    if (const auto* failure = std::get_if<SpawnFailure>(&started)) {
        cannotStart(attempt, *failure);
        return;
    }
    attempt.script.reset();
    m_spans.begin(attempt.launch.key, beginTicks);
    attempt.start = std::move(std::get<std::unique_ptr<ShellStart>>(started));
    attempt.pid = attempt.start->pid();
    for (std::size_t i = 0; i < streams.size(); ++i) {
        if (streams[i] == ChildStream::Captured)
            (i == STDOUT_FILENO ? attempt.output : attempt.error).open(std::move(ends[i].near));
        else if (ends[i].near)
            attempt.agentEnds.push_back(std::move(ends[i].near));
    }
    attempt.apply(AttemptEvent::Launched);
    if (settings.timeout)
        attempt.deadline = attempt.begin + *settings.timeout;
}

void AttemptRunner::cannotStart(RunningAttempt& attempt, const SpawnFailure& failure)
{
    const SteadyTime now = std::chrono::steady_clock::now();
    attempt.shortSince = attempt.shortSince.value_or(now);
    const bool others = std::any_of(m_attempts.begin(), m_attempts.end(), [](const auto& each) {
        return each->pid > 0 && each->phase != AttemptPhase::Ended;
    });
    if (!isShortage(failure) || (!others && now - *attempt.shortSince > shortageLimit)) {
        failToStart(attempt, failure);
        return;
    }
    attempt.apply(AttemptEvent::Short);
    attempt.nextLook = now + shortagePause;
}

void AttemptRunner::tellStart(RunningAttempt& attempt)
{
    if (std::exchange(attempt.startTold, true))
        return;
    const Started report{attempt.launch.key, attempt.startedAt, !attempt.agentEnds.empty()};
    m_channel.report(report, AgentChannel::Urgency::CanWait, std::move(attempt.agentEnds));
}

void AttemptRunner::failToStart(RunningAttempt& attempt, const SpawnFailure& failure)
{
    attempt.phase = AttemptPhase::Ended;
    AttemptResult result;
    result.outcome = Outcome::NotStarted;
    result.code = failure.errorNumber;
    result.startedAt = attempt.startedAt;
    SpooledStream& words = attempt.error.stream();
    words.append("tasuki: " + spawnFailureText(failure, attempt.settings->directory) + "\n");
    result.standardError = words.take();
    m_channel.report(Finished{attempt.launch.key, std::move(result)}, AgentChannel::Urgency::Now);
}

void AttemptRunner::settle(RunningAttempt& attempt)
{
    // What has ended without becoming a shell has not started: reap() tells why.
    if (!attempt.start->executed() || attempt.start->failure().step != SpawnStep::None) {
        attempt.settleAt = std::chrono::steady_clock::now() + settleTime;
        return;
    }
    std::string().swap(attempt.launch.command);
    tellStart(attempt);
    attempt.settled = true;
    m_channel.hurry();
    std::uint64_t tag = attempt.serial << 1U;
    for (const CapturedPipe* pipe : {&attempt.output, &attempt.error}) {
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.u64 = tag++;
        if (pipe->fd() >= 0)
            ::epoll_ctl(m_epoll, EPOLL_CTL_ADD, pipe->fd(), &event);
    }
}

void AttemptRunner::reap()
{
    for (;;) {
        int status = 0;
        rusage usage{};
        const pid_t pid = ::wait4(-1, &status, WNOHANG, &usage);
        if (pid < 0 && errno == EINTR)
            continue;
        if (pid <= 0) {
            m_childless = pid < 0;
            return;
        }
        const auto place = std::find_if(
            m_attempts.begin(), m_attempts.end(),
            [&](const auto& each) { return each->pid == pid && !each->exited; });
        if (place == m_attempts.end())
            continue; // An orphan that a task left behind.
        RunningAttempt& attempt = **place;
        attempt.exited = true;
        attempt.end = std::chrono::steady_clock::now();
        attempt.status = status;
        attempt.usage = usage;
        const SpawnFailure failure = attempt.start->failure();
        if (failure.step != SpawnStep::None && !attempt.imposed) {
            m_spans.end(attempt.launch.key, nowInTicks());
            failToStart(attempt, failure);
            continue;
        }
        attempt.apply(AttemptEvent::Exited);
        if (attempt.phase == AttemptPhase::Ended)
            finish(attempt);
    }
}

void AttemptRunner::finish(RunningAttempt& attempt)
{
    attempt.phase = AttemptPhase::Ended;
    attempt.output.readRestAndClose();
    attempt.error.readRestAndClose();
    if (attempt.pid > 0) {
        m_spans.end(attempt.launch.key, nowInTicks());
        tellStart(attempt);
    } else {
        attempt.end = attempt.begin;
    }
    AttemptResult result = attempt.takeResult();
    m_shelf.keep(attempt);
    m_channel.report(Finished{attempt.launch.key, std::move(result)}, AgentChannel::Urgency::Now);
    tellNews(attempt.launch.key);
}

void AttemptRunner::removeEnded()
{
    std::erase_if(m_attempts, [](const auto& each) { return each->phase == AttemptPhase::Ended; });
}

void AttemptRunner::read(std::uint64_t tag)
{
    const auto place = std::find_if(m_attempts.begin(), m_attempts.end(),
                                    [&](const auto& each) { return each->serial == tag >> 1U; });
    if (place == m_attempts.end())
        return;
    CapturedPipe& pipe = (tag & 1U) == 0 ? (*place)->output : (*place)->error;
    if (pipe.fd() >= 0 && pipe.readSome() != 0)
        tellNews((*place)->launch.key);
}

RunningAttempt* AttemptRunner::running(AttemptKey key)
{
    const auto place = std::find_if(m_attempts.begin(), m_attempts.end(), [&](const auto& each) {
        return each->launch.key == key && each->phase != AttemptPhase::Ended;
    });
    return place == m_attempts.end() ? nullptr : place->get();
}

void AttemptRunner::answer(const Fetch& command)
{
    if (auto fetched = m_shelf.fetch(command, running(command.query.key)))
        m_channel.report(Fetched{command.token, std::move(*fetched)}, AgentChannel::Urgency::Now);
}

void AttemptRunner::tellNews(AttemptKey key)
{
    for (const Fetch& fetch : m_shelf.takeWaiting(key))
        answer(fetch);
}

} // namespace tasuki::guardian
