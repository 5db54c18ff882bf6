// SPDX-License-Identifier: GPL-3.0-or-later
#include "process/guardianclient.h"

#include <boost/asio/post.hpp>

#include <fcntl.h>
#include <sys/prctl.h>

#include <algorithm>
#include <cassert>
#include <cerrno>
#include <variant>

namespace tasuki {
namespace {

/// More deaths of guardians than this within the time are no accident.
constexpr std::size_t mostRestarts = 5;
constexpr std::chrono::minutes restartWindow{1};
/// So many keep-alives in a row without an answer: the guardian is stuck.
constexpr int mostUnanswered = 6;
constexpr std::chrono::milliseconds firstCleanUpPause{1};
/// Settings objects remembered on both sides; then both forget all of them.
constexpr std::size_t mostSettings = 4096;

} // namespace

template <class F>
void GuardianClient::later(F f)
{
    boost::asio::post(m_io, [life = std::weak_ptr(m_life), f = std::move(f)]() mutable {
        if (!life.expired())
            f();
    });
}

GuardianClient::GuardianClient(boost::asio::io_context& io, GuardianOptions options)
    : m_io(io),
      m_options(std::move(options)),
      m_orphans(m_options.run),
      m_keepAliveTimer(io),
      m_cleanUpTimer(io)
{
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    auto program = findGuardian(m_options.program);
    if (!program) {
        giveUp(program.error().text());
        return;
    }
    m_program = std::move(*program);
    startGuardian();
}

GuardianClient::~GuardianClient() = default;

void GuardianClient::setCallbacks(Callbacks callbacks) { m_callbacks = std::move(callbacks); }

pid_t GuardianClient::guardianPid() const { return m_guardian ? m_guardian->pid() : -1; }

void GuardianClient::startGuardian()
{
    const SteadyTime now = std::chrono::steady_clock::now();
    std::erase_if(m_starts, [&](SteadyTime time) { return now - time > restartWindow; });
    if (m_starts.size() > mostRestarts) {
        giveUp("tasuki-guardian died " + std::to_string(m_starts.size()) + " times in a minute");
        return;
    }
    m_starts.push_back(now);
    auto started = GuardianProcess::start(m_program, m_options.environment);
    if (!started) {
        giveUp(started.error().text());
        return;
    }
    // Asio closes what it is given, so it gets a copy: the end of the process belongs to m_guardian.
    const int copy = ::fcntl(started->socket(), F_DUPFD_CLOEXEC, 0);
    if (copy < 0) {
        giveUp(systemError("cannot watch the guardian's socket", errno).text());
        return;
    }
    m_guardian.emplace(std::move(*started));
    m_socket.emplace(m_io, boost::asio::local::stream_protocol(), copy);
    m_guardianLife = std::make_shared<int>();
    m_reader = {};
    m_writer = {};
    m_settings.clear();
    m_unanswered = 0;
    m_waitsForRoom = false;
    m_state = State::Serving;
    send(guardian::Configure{m_options.run, m_options.epoch, m_options.rank, m_options.directory,
                             m_options.captureHead, m_options.captureTail, m_options.spoolDirectory,
                             m_options.killGrace, m_options.lease, m_options.resetAffinity});
    flush();
    waitForReports();
    scheduleKeepAlive();
    for (const Launch& launch : std::exchange(m_waiting, {}))
        sendLaunch(launch);
}

void GuardianClient::start(Launch launch)
{
    assert(launch.settings != nullptr);
    [[maybe_unused]] const bool fresh = m_running.insert(launch.key).second;
    assert(fresh);
    if (launch.command.size() > guardian::maximumCommand) {
        AttemptResult result;
        result.outcome = Outcome::NotStarted;
        result.code = E2BIG;
        result.startedAt = SystemClock().wallNow();
        later([this, key = launch.key, result] { handle(guardian::Finished{key, result}); });
    } else if (m_state == State::Serving) {
        sendLaunch(launch);
    } else if (m_state == State::Failed) {
        later([this] { finishAllAsLost(); });
    } else {
        m_waiting.push_back(std::move(launch));
    }
}

void GuardianClient::sendLaunch(const Launch& launch)
{
    const std::uint32_t settings = idOf(launch.settings);
    send(guardian::Start{launch.key, launch.slot, settings, launch.command, launch.cores,
                         launch.kind});
}

std::uint32_t GuardianClient::idOf(const std::shared_ptr<const TaskSettings>& settings)
{
    if (const auto known = m_settings.find(settings.get()); known != m_settings.end())
        return known->second.id;
    if (m_settings.size() >= mostSettings) {
        for (const auto& [address, known] : m_settings)
            send(guardian::ForgetSettings{known.id});
        m_settings.clear();
    }
    const std::uint32_t id = ++m_lastSettings;
    m_settings[settings.get()] = {settings, id};
    send(guardian::DefineSettings{id, settings->timeout, settings->workingDirectory,
                                  settings->environment});
    return id;
}

void GuardianClient::signal(AttemptKey key, int number)
{
    if (m_running.contains(key) && m_state == State::Serving)
        send(guardian::Signal{key, number});
}

void GuardianClient::stop(AttemptKey key, StopReason reason)
{
    if (!m_running.contains(key))
        return;
    if (m_state == State::Serving) {
        send(guardian::Stop{key, reason});
        return;
    }
    const auto place = std::find_if(m_waiting.begin(), m_waiting.end(),
                                    [&](const Launch& launch) { return launch.key == key; });
    if (place == m_waiting.end())
        return;
    m_waiting.erase(place);
    AttemptResult result;
    result.outcome = reason == StopReason::Cancelled ? Outcome::Cancelled : Outcome::Interrupted;
    result.startedAt = SystemClock().wallNow();
    later([this, key, result] { handle(guardian::Finished{key, result}); });
}

void GuardianClient::stopAll(StopReason reason, std::function<void()> done)
{
    const std::uint32_t token = ++m_lastToken;
    m_stopWaits[token] = std::move(done);
    while (!m_waiting.empty())
        stop(AttemptKey(m_waiting.front().key), reason);
    if (m_state == State::Serving)
        send(guardian::StopAll{token, reason});
    else if (m_state == State::Failed)
        later([this, token] { handle(guardian::AllStopped{token}); });
    // While orphans are killed, cleanUp() answers.
}

void GuardianClient::peek(const OutputQuery& query, std::function<void(OutputAnswer)> answer)
{
    const std::uint32_t token = ++m_lastToken;
    m_peekWaits[token] = {query.key, std::move(answer)};
    if (m_state == State::Serving && m_running.contains(query.key))
        send(guardian::Peek{token, query});
    else
        later([this, token, key = query.key] {
            handle(guardian::Peeked{token, OutputAnswer{.key = key}});
        });
}

void GuardianClient::fetch(const OutputQuery& query, bool wait,
                           std::function<void(FetchedOutput)> answer)
{
    const std::uint32_t token = ++m_lastToken;
    m_fetchWaits[token] = {query.key, std::move(answer)};
    if (m_state == State::Serving)
        send(guardian::Fetch{token, query, wait});
    else
        later([this, token, key = query.key] {
            handle(guardian::Fetched{token, {.answer = {.key = key}, .problem = {}}});
        });
}

void GuardianClient::release(AttemptKey key)
{
    if (m_state == State::Serving)
        send(guardian::Release{key});
}

void GuardianClient::send(const guardian::Command& command)
{
    m_writer.queue(encode(command));
    flushSoon();
}

void GuardianClient::flushSoon()
{
    if (std::exchange(m_flushPosted, true))
        return;
    later([this] {
        m_flushPosted = false;
        if (m_state == State::Serving && !m_waitsForRoom)
            flush();
    });
}

void GuardianClient::flush()
{
    // A broken connection is noticed by reading, which also gets the last reports.
    if (m_writer.flush(m_guardian->socket()) != guardian::Transfer::WouldBlock)
        return;
    m_waitsForRoom = true;
    m_socket->async_wait(boost::asio::local::stream_protocol::socket::wait_write,
                         [this, life = std::weak_ptr(m_guardianLife)](boost::system::error_code) {
                             if (life.expired())
                                 return;
                             m_waitsForRoom = false;
                             flush();
                         });
}

void GuardianClient::waitForReports()
{
    m_socket->async_wait(boost::asio::local::stream_protocol::socket::wait_read,
                         [this, life = std::weak_ptr(m_guardianLife)](boost::system::error_code) {
                             if (!life.expired())
                                 receive();
                         });
}

void GuardianClient::receive()
{
    const std::weak_ptr<int> life = m_guardianLife;
    const guardian::Transfer transfer = m_reader.receive(m_guardian->socket());
    bool broken = transfer == guardian::Transfer::Closed;
    while (!broken) {
        const auto body = m_reader.next();
        if (body && !*body)
            break;
        auto report = body ? guardian::decodeReport(**body) : body.error();
        broken = !report;
        if (broken)
            break;
        std::visit([this](auto& message) { handle(std::move(message)); }, *report);
        // A callback may have destroyed this object.
        if (life.expired())
            return;
    }
    if (broken)
        guardianLost();
    else
        waitForReports();
}

void GuardianClient::handle(guardian::Started report)
{
    std::vector<UniqueFd> ends;
    if (report.connected)
        ends = m_reader.takeDescriptors();
    if (!m_running.contains(report.key))
        return;
    const std::weak_ptr<int> life = m_life;
    if (report.connected && ends.empty())
        stop(report.key, StopReason::Interrupted); // this process has no room for them
    else if (report.connected && m_callbacks.connected)
        m_callbacks.connected(report.key, std::move(ends));
    if (!life.expired() && m_callbacks.started)
        m_callbacks.started(report.key, report.startedAt);
}

void GuardianClient::handle(guardian::Finished report)
{
    if (m_running.erase(report.key) > 0 && m_callbacks.finished)
        m_callbacks.finished(report.key, std::move(report.result));
}

void GuardianClient::handle(guardian::AllStopped report)
{
    auto wait = m_stopWaits.extract(report.token);
    if (!wait.empty() && wait.mapped())
        wait.mapped()();
}

void GuardianClient::handle(guardian::Alive) { m_unanswered = 0; }

void GuardianClient::handle(guardian::Peeked report)
{
    auto wait = m_peekWaits.extract(report.token);
    if (!wait.empty())
        wait.mapped().answer(std::move(report.answer));
}

void GuardianClient::handle(guardian::Fetched report)
{
    auto wait = m_fetchWaits.extract(report.token);
    if (!wait.empty())
        wait.mapped().answer(std::move(report.output));
}

void GuardianClient::scheduleKeepAlive()
{
    if (m_options.lease.count() == 0)
        return;
    m_keepAliveTimer.expires_after(std::max(m_options.lease / 4, std::chrono::milliseconds(1)));
    m_keepAliveTimer.async_wait(
        [this, life = std::weak_ptr(m_guardianLife)](boost::system::error_code error) {
            if (error || life.expired())
                return;
            if (++m_unanswered > mostUnanswered) {
                guardianLost();
                return;
            }
            send(guardian::KeepAlive{});
            scheduleKeepAlive();
        });
}

void GuardianClient::guardianLost()
{
    m_state = State::CleaningUp;
    m_guardianLife.reset();
    m_keepAliveTimer.cancel();
    m_socket.reset();
    // It is dead, or must be before its orphans can be found.
    m_guardian->end(std::chrono::milliseconds(0));
    m_guardian.reset();
    m_emptyLooks = 0;
    cleanUp();
}

void GuardianClient::cleanUp()
{
    m_emptyLooks = m_orphans.killOnce() ? m_emptyLooks + 1 : 0;
    if (m_emptyLooks < 2) {
        m_cleanUpTimer.expires_after(firstCleanUpPause);
        m_cleanUpTimer.async_wait(
            [this, life = std::weak_ptr(m_life)](boost::system::error_code error) {
                if (!error && !life.expired())
                    cleanUp();
            });
        return;
    }
    // Started while there was no guardian: not lost, the next one runs them.
    std::set<AttemptKey> waiting;
    for (const Launch& launch : m_waiting)
        waiting.insert(launch.key);
    const std::weak_ptr<int> life = m_life;
    const auto stopped = std::exchange(m_stopWaits, {});
    std::vector<AttemptKey> lost;
    std::set_difference(m_running.begin(), m_running.end(), waiting.begin(), waiting.end(),
                        std::back_inserter(lost));
    startGuardian();
    answerQuestions();
    for (const AttemptKey& key : lost) {
        if (life.expired())
            return;
        handle(guardian::Finished{key, {}});
    }
    if (life.expired())
        return;
    for (const auto& [token, done] : stopped) {
        if (done)
            done();
        if (life.expired())
            return;
    }
}

void GuardianClient::giveUp(std::string reason)
{
    m_state = State::Failed;
    m_waiting.clear();
    later([this, reason = std::move(reason)] {
        const std::weak_ptr<int> life = m_life;
        finishAllAsLost();
        if (!life.expired() && m_callbacks.failed)
            m_callbacks.failed(reason);
    });
}

void GuardianClient::answerQuestions()
{
    const std::weak_ptr<int> life = m_life;
    while (!life.expired() && !m_peekWaits.empty()) {
        const std::uint32_t token = m_peekWaits.begin()->first;
        handle(guardian::Peeked{token, OutputAnswer{.key = m_peekWaits.begin()->second.key}});
    }
    while (!life.expired() && !m_fetchWaits.empty()) {
        const auto& [token, wait] = *m_fetchWaits.begin();
        handle(guardian::Fetched{token, {.answer = {.key = wait.key}, .problem = {}}});
    }
}

void GuardianClient::finishAllAsLost()
{
    const std::weak_ptr<int> life = m_life;
    answerQuestions();
    while (!life.expired() && !m_running.empty())
        handle(guardian::Finished{*m_running.begin(), {}});
}

} // namespace tasuki
