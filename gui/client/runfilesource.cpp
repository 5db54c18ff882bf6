// SPDX-License-Identifier: GPL-3.0-or-later
#include "runfilesource.h"

#include "runfileworker.h"

#include <QTimer>

namespace tasuki {

RunFileSource::RunFileSource(std::filesystem::path path, QObject* parent,
                             std::chrono::milliseconds pollInterval)
    : SessionSource(parent),
      m_path(std::move(path)),
      m_worker(new RunFileWorker(m_path, pollInterval))
{
    m_thread.setObjectName(QStringLiteral("run file"));
    m_worker->moveToThread(&m_thread);
    connect(&m_thread, &QThread::finished, m_worker, &QObject::deleteLater);
    connect(m_worker, &RunFileWorker::restarted, this, &SessionSource::restarted);
    connect(m_worker, &RunFileWorker::catchingUp, this, &SessionSource::catchingUp);
    connect(m_worker, &RunFileWorker::batchRead, this, &SessionSource::batchArrived);
    connect(m_worker, &RunFileWorker::caughtUp, this, &SessionSource::caughtUp);
    connect(m_worker, &RunFileWorker::statusChanged, this, &SessionSource::statusChanged);
    connect(m_worker, &RunFileWorker::outputRead, this,
            [this](quint64 number, const Result<OutputAnswer>& answer) {
                m_replies.answer(number, answer);
            });
    m_thread.start();
}

RunFileSource::~RunFileSource()
{
    m_worker->stop();
    m_thread.quit();
    m_thread.wait();
    m_replies.failAll(Error{.kind = ErrorKind::System, .message = "the run was closed"});
}

QString RunFileSource::name() const { return QString::fromStdString(m_path.string()); }

void RunFileSource::start() { QMetaObject::invokeMethod(m_worker, &RunFileWorker::open); }

void RunFileSource::release(std::size_t batches)
{
    if (batches == 0)
        return;
    m_worker->release(batches);
    QMetaObject::invokeMethod(m_worker, &RunFileWorker::resume);
}

void RunFileSource::restart() { QMetaObject::invokeMethod(m_worker, &RunFileWorker::restart); }

void RunFileSource::fail(std::uint64_t number, const QString& why)
{
    const Error error{.kind = ErrorKind::Input, .message = why.toStdString()};
    QMetaObject::invokeMethod(
        this, [this, number, error] { m_replies.fail(number, error); }, Qt::QueuedConnection);
}

void RunFileSource::sendCommand(OperatorCommand, CommandDone done)
{
    fail(m_replies.add(std::move(done)), tr("this is a run file: only an agent takes commands"));
}

void RunFileSource::requestOutput(OutputQuery query, OutputDone done)
{
    const auto number = m_replies.add(std::move(done));
    QMetaObject::invokeMethod(
        m_worker, [worker = m_worker, number, query] { worker->requestOutput(number, query); });
}

void RunFileSource::requestTask(TaskId, TaskDone done)
{
    fail(m_replies.add(std::move(done)), tr("a run file has every command as a whole"));
}

} // namespace tasuki
