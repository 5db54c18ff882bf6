// SPDX-License-Identifier: GPL-3.0-or-later
#include "agentsource.h"

#include "agentworker.h"

namespace tasuki {

AgentSource::AgentSource(AgentPlace place, QObject* parent, AgentTiming timing)
    : SessionSource(parent),
      m_place(std::move(place)),
      m_worker(new AgentWorker(m_place, timing, m_clock))
{
    m_thread.setObjectName(QStringLiteral("agent"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &AgentWorker::restarted, this, &SessionSource::restarted);
    connect(m_worker, &AgentWorker::catchingUp, this, &SessionSource::catchingUp);
    connect(m_worker, &AgentWorker::batchRead, this, &SessionSource::batchArrived);
    connect(m_worker, &AgentWorker::caughtUp, this, &SessionSource::caughtUp);
    connect(m_worker, &AgentWorker::statusChanged, this, &SessionSource::statusChanged);
    connect(m_worker, &AgentWorker::agentChanged, this, [this](const AgentInfo& agent) {
        m_agent = agent;
        Q_EMIT agentChanged(agent);
    });
    connect(m_worker, &AgentWorker::agentStatusChanged, this, &SessionSource::agentStatusChanged);
    connect(m_worker, &AgentWorker::heard, this, &SessionSource::heard);
    connect(m_worker, &AgentWorker::newsTold, this,
            [this] { QMetaObject::invokeMethod(m_worker, &AgentWorker::newsTaken); });
    connect(m_worker, &AgentWorker::messageTold, this,
            [this] { QMetaObject::invokeMethod(m_worker, &AgentWorker::messageTaken); });
    connect(m_worker, &AgentWorker::commandAnswered, this,
            [this](quint64 number, const CommandAnswer& answer) {
                m_replies.answer<CommandAnswer>(number, answer);
            });
    connect(m_worker, &AgentWorker::outputAnswered, this,
            [this](quint64 number, const OutputAnswer& answer) {
                m_replies.answer<OutputAnswer>(number, answer);
            });
    connect(m_worker, &AgentWorker::taskAnswered, this,
            [this](quint64 number, const Result<Task>& answer) {
                m_replies.answer<Task>(number, answer);
            });
    connect(m_worker, &AgentWorker::requestFailed, this,
            [this](quint64 number, const QString& reason) {
                m_replies.fail(number,
                               Error{.kind = ErrorKind::System, .message = reason.toStdString()});
            });
    m_thread.start();
}

AgentSource::~AgentSource()
{
    m_thread.quit();
    m_thread.wait();
    m_replies.failAll(Error{.kind = ErrorKind::System, .message = "the run was closed"});
}

bool AgentSource::isElsewhere() const { return std::holds_alternative<RemoteRun>(m_place); }

QString AgentSource::name() const
{
    if (const auto* remote = std::get_if<RemoteRun>(&m_place)) {
        const QString path = QString::fromStdString(remote->path);
        return tr("%1 on %2")
            .arg(path.section(QLatin1Char('/'), -1), QString::fromStdString(remote->target));
    }
    if (!m_agent)
        return QString::fromStdString(std::get<std::filesystem::path>(m_place).stem().string());
    const auto file = m_agent->runFile.section(QLatin1Char('/'), -1);
    return file.isEmpty() ? m_agent->host : tr("%1 on %2").arg(file, m_agent->host);
}

void AgentSource::start() { QMetaObject::invokeMethod(m_worker, &AgentWorker::open); }

void AgentSource::release(std::size_t batches)
{
    if (batches != 0)
        QMetaObject::invokeMethod(m_worker,
                                  [worker = m_worker, batches] { worker->release(batches); });
}

void AgentSource::restart() { QMetaObject::invokeMethod(m_worker, &AgentWorker::restart); }

void AgentSource::retryNow() { QMetaObject::invokeMethod(m_worker, &AgentWorker::retryNow); }

void AgentSource::sendCommand(OperatorCommand command, CommandDone done)
{
    const auto number = m_replies.add(std::move(done));
    QMetaObject::invokeMethod(m_worker,
                              [worker = m_worker, number, command = std::move(command)]() mutable {
                                  worker->sendCommand(number, std::move(command));
                              });
}

void AgentSource::requestOutput(OutputQuery query, OutputDone done)
{
    const auto number = m_replies.add(std::move(done));
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, number, query] { worker->requestOutput(number, query); });
}

void AgentSource::requestTask(TaskId task, TaskDone done)
{
    const auto number = m_replies.add(std::move(done));
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, number, task] { worker->requestTask(number, task); });
}

} // namespace tasuki
