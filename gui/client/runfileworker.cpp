// SPDX-License-Identifier: GPL-3.0-or-later
#include "runfileworker.h"

#include "runfile/recordedoutput.h"

#include <QDateTime>

#include <algorithm>

namespace tasuki {

namespace {

/// Ends a replay that is to go on later. Nobody sees it.
Error pause() { return Error{.kind = ErrorKind::InUse, .message = "paused"}; }

/// About what an event costs in memory.
std::size_t costOf(const Event& event)
{
    std::size_t cost = sizeof(Event);
    if (const auto* added = std::get_if<TaskAdded>(&event.payload))
        cost += added->task.command.size();
    else if (const auto* changed = std::get_if<TaskChanged>(&event.payload))
        cost += changed->task.command.size();
    return cost;
}

} // namespace

RunFileWorker::RunFileWorker(std::filesystem::path path, std::chrono::milliseconds pollInterval)
    : m_path(std::move(path)), m_interval(pollInterval)
{}

void RunFileWorker::open()
{
    if (!m_timer) {
        m_timer = new QTimer(this);
        m_timer->setInterval(m_interval);
        connect(m_timer, &QTimer::timeout, this, &RunFileWorker::poll);
    }
    m_machine.take(ConnectionInput::OpenFile);
    auto reader = RunFileReader::open(m_path);
    if (!reader) {
        refuse(reader.error());
        return;
    }
    m_reader = std::move(*reader);
    const auto last = m_reader->lastEvent();
    if (!last) {
        refuse(last.error());
        return;
    }
    tell();
    // Sequences begin anew in every epoch: only those of the first one tell how many there are.
    const bool first = last->epoch == Epoch(1);
    Q_EMIT catchingUp(first ? last->sequence.value() : 0);
    m_caughtUp = false;
    read();
}

void RunFileWorker::restart()
{
    m_machine.take(ConnectionInput::Close);
    m_reader.reset();
    m_age.clear();
    m_last = {};
    m_paused = false;
    if (m_timer)
        m_timer->stop();
    Q_EMIT restarted();
    open();
}

void RunFileWorker::resume()
{
    if (m_paused)
        read();
}

void RunFileWorker::poll()
{
    const auto last = m_reader->lastEvent();
    if (!last) {
        refuse(last.error());
        return;
    }
    if (*last > m_last && !m_paused)
        read();
    else
        tellAge();
}

void RunFileWorker::tellAge()
{
    const auto age = m_reader->age();
    QString words;
    if (age) {
        const auto ms = std::chrono::floor<std::chrono::milliseconds>(age->asOf.time_since_epoch());
        const QString time = QDateTime::fromMSecsSinceEpoch(ms.count())
                                 .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
        words = age->writer.empty()
            ? tr("Another host may be writing this run; this is as of %1").arg(time)
            : tr("This is as of %1, written by %2").arg(time, QString::fromStdString(age->writer));
    }
    if (words != m_age) {
        m_age = words;
        tell(words);
    }
}

void RunFileWorker::read()
{
    m_paused = false;
    const auto replayed = m_reader->replay([this](Event event) { return take(std::move(event)); },
                                           m_last, RunFileReader::Outputs::Totals);
    flush();
    if (m_stopped || m_paused)
        return;
    if (!replayed) {
        refuse(replayed.error());
        return;
    }
    if (!m_caughtUp) {
        m_caughtUp = true;
        Q_EMIT caughtUp();
    }
    tellAge();
    m_timer->start();
}

Result<void> RunFileWorker::take(Event event)
{
    if (m_stopped)
        return pause();
    if (!m_batch && m_outstanding >= SessionSource::batchWindow) {
        m_paused = true;
        return pause();
    }
    if (!m_batch) {
        m_batch = std::make_shared<EventBatch>();
        m_bytes = 0;
    }
    m_last = event.id;
    m_bytes += costOf(event);
    m_batch->events.push_back(std::move(event));
    if (m_batch->events.size() >= SessionSource::batchEvents
        || m_bytes >= SessionSource::batchBytes)
        flush();
    return {};
}

void RunFileWorker::flush()
{
    if (!m_batch)
        return;
    ++m_outstanding;
    Q_EMIT batchRead(std::exchange(m_batch, nullptr));
}

void RunFileWorker::requestOutput(quint64 number, OutputQuery query)
{
    if (!m_reader) {
        Q_EMIT outputRead(number,
                          Error{.kind = ErrorKind::System,
                                .message = tr("the run file is not open").toStdString()});
        return;
    }
    Q_EMIT outputRead(number, recordedOutput(*m_reader, query));
}

void RunFileWorker::refuse(const Error& error)
{
    m_timer->stop();
    m_machine.take(ConnectionInput::Refuse);
    tell(QString::fromStdString(error.text()));
}

void RunFileWorker::tell(QString reason)
{
    ConnectionStatus status;
    status.state = m_machine.state();
    status.reason = std::move(reason);
    Q_EMIT statusChanged(status);
}

} // namespace tasuki
