// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTemporaryDir>

#include "client/agentsource.h"
#include "client/session.h"
#include "fakeagent.h"
#include "manualsource.h"
#include "patience.h"
#include "support/history.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <vector>

#include <sys/wait.h>
#include <unistd.h>

namespace tasuki::testing {

/// So that tests need not wait; silence is longer than a busy machine makes it.
inline constexpr AgentTiming quick{.ping = std::chrono::milliseconds(20),
                                   .silence = std::chrono::seconds(30),
                                   .handshake = std::chrono::seconds(30),
                                   .firstDelay = std::chrono::milliseconds(20),
                                   .longestDelay = std::chrono::milliseconds(100),
                                   .look = std::chrono::milliseconds(30)};

/// A run with so many tasks.
inline std::vector<Event> tasks(std::uint32_t count)
{
    History history;
    history.add(RunOpened{});
    for (std::uint32_t i = 0; i < count; ++i)
        history.addTask("true");
    return history.events();
}

/// @return the id of a process that has ended
inline pid_t endedProcess()
{
    const pid_t pid = ::fork();
    if (pid == 0)
        ::_exit(0);
    if (pid < 0 || ::waitpid(pid, nullptr, 0) != pid)
        qFatal("no process can be started");
    return pid;
}

/// An agent that does as it is told, and a session on it.
class AgentFixture : public QObject {
protected:
    void begin()
    {
        m_directory = std::make_unique<QTemporaryDir>();
        m_run = RunId::random();
        m_states.clear();
        m_resets = 0;
    }
    void end()
    {
        m_session.reset();
        m_agent.reset();
    }
    void startAgent(Manners manners = {}, Epoch epoch = Epoch(1))
    {
        const std::filesystem::path directory(m_directory->path().toStdString());
        m_agent = std::make_unique<FakeAgent>(directory, m_run, epoch, manners);
    }
    /// As if its process was killed: all that it leaves is its access file.
    void killAgent()
    {
        auto access = link::readAccessFile(m_agent->access());
        if (!access)
            qFatal("%s", access.error().text().c_str());
        access->pid = endedProcess();
        access->processStart = 1;
        if (!link::writeAccessFile(m_agent->access().parent_path(), *access))
            qFatal("the access file cannot be written");
        m_agent->die();
    }
    void open(AgentTiming timing = quick)
    {
        m_session = std::make_unique<Session>(
            std::make_unique<AgentSource>(m_agent->access(), nullptr, timing), m_clock);
        connect(m_session.get(), &Session::connectionChanged, this, [this] {
            const auto state = m_session->connection().state;
            if (m_states.empty() || m_states.back() != state)
                m_states.push_back(state);
        });
        connect(m_session.get(), &Session::wasReset, this, [this] { ++m_resets; });
        m_session->start();
    }
    [[nodiscard]] bool isLive() const
    {
        return m_session->connection().state == ConnectionState::Live;
    }
    [[nodiscard]] bool isUpToDate() const
    {
        return isLive() && !m_session->loading()
            && sameState(m_session->state(), stateOf(m_agent->recorded()));
    }
    [[nodiscard]] bool has(ConnectionState state) const
    {
        return std::ranges::find(m_states, state) != m_states.end();
    }

    std::unique_ptr<QTemporaryDir> m_directory;
    RunId m_run;
    SystemClock m_clock;
    std::unique_ptr<FakeAgent> m_agent;
    std::unique_ptr<Session> m_session;
    std::vector<ConnectionState> m_states;
    int m_resets = 0;
};

} // namespace tasuki::testing
