// SPDX-License-Identifier: GPL-3.0-or-later
// What AgentWorker makes of the messages of an agent.
#include "agentworker.h"

#include "wire/linkcodec.h"

namespace tasuki {

namespace {

/// @return whether nothing lies between two events
bool follows(EventId event, EventId last)
{
    if (event.epoch == last.epoch)
        return event.sequence == last.sequence.next();
    return event.epoch > last.epoch && event.sequence == Sequence(1);
}

std::optional<TaskId> definedTask(const Event& event)
{
    if (const auto* added = std::get_if<TaskAdded>(&event.payload))
        return added->id;
    if (const auto* changed = std::get_if<TaskChanged>(&event.payload))
        return changed->id;
    return std::nullopt;
}

} // namespace

/// One function for each message that may come once the agent has welcomed the window.
/// All return whether the connection lasts.
struct AgentWorker::Handle {
    AgentWorker& worker;

    bool operator()(const link::SnapshotBegin& message) const
    {
        const EventId none;
        if (message.reset || message.after == none) {
            worker.m_last = none;
            Q_EMIT worker.restarted();
        } else if (message.after != worker.m_last) {
            return worker.broken(tr("a snapshot begins at another event than was asked for"));
        }
        if (worker.m_machine.state() == ConnectionState::Live) {
            worker.m_machine.take(ConnectionInput::Gap);
            worker.tell();
        }
        const bool countable = message.upTo.epoch == worker.m_last.epoch
            || (worker.m_last == none && message.upTo.epoch == Epoch(1));
        const auto upTo = message.upTo.sequence.value();
        const auto from = worker.m_last.sequence.value();
        Q_EMIT worker.catchingUp(countable && upTo > from ? upTo - from : 0);
        return worker.messageWasTold();
    }

    bool operator()(link::Events& message) const { return worker.takeBatch(std::move(message)); }

    bool operator()(const link::SnapshotEnd& message) const
    {
        if (message.upTo != worker.m_last)
            return worker.broken(tr("a snapshot ends at another event than was said"));
        worker.m_failures = 0;
        worker.m_machine.take(ConnectionInput::CaughtUp);
        Q_EMIT worker.caughtUp();
        worker.tell();
        return worker.messageWasTold();
    }

    bool operator()(const link::Gap& message) const
    {
        if (message.lastDelivered != worker.m_last)
            return worker.broken(tr("events are missing"));
        worker.m_machine.take(ConnectionInput::Gap);
        worker.tell();
        return worker.messageWasTold();
    }

    bool operator()(const link::Status& message) const
    {
        worker.takeNews({.status = AgentStatus{.phase = QString::fromStdString(message.phase),
                                               .stalled = QString::fromStdString(message.stalled),
                                               .slots = message.slots,
                                               .outstanding = message.outstanding,
                                               .uncommitted = message.uncommitted,
                                               .recovery = message.recovery},
                         .agentNow = message.now});
        return true;
    }

    bool operator()(const link::CommandReply& message) const
    {
        if (worker.m_open.erase(message.number) != 0)
            Q_EMIT worker.commandAnswered(message.number, message.answer);
        return true;
    }

    bool operator()(const link::OutputReply& message) const
    {
        if (worker.m_open.erase(message.number) != 0)
            Q_EMIT worker.outputAnswered(message.number, message.answer);
        return true;
    }

    bool operator()(const link::TaskReply& message) const
    {
        if (worker.m_open.erase(message.number) == 0)
            return true;
        if (message.known)
            Q_EMIT worker.taskAnswered(message.number, message.task);
        else
            Q_EMIT worker.taskAnswered(message.number,
                                       Error{.kind = ErrorKind::Input,
                                             .message = tr("there is no such task").toStdString()});
        return true;
    }

    bool operator()(const link::Pong&) const
    {
        worker.takeNews({});
        return true;
    }

    bool operator()(const link::Bye& message) const
    {
        worker.end(ConnectionInput::Bye, QString::fromStdString(message.reason));
        return false;
    }

    bool operator()(const link::Refused& message) const
    {
        worker.end(ConnectionInput::Refuse, QString::fromStdString(message.reason));
        return false;
    }

    // Of plans that others asked for.
    bool operator()(const link::PlanProgress&) const { return true; }
    bool operator()(const link::PlanFound&) const { return true; }
    bool operator()(const link::PlanEnded&) const { return true; }

    bool operator()(const link::ServerHello&) const { return again(); }
    bool operator()(const link::Welcome&) const { return again(); }

    [[nodiscard]] bool again() const { return worker.broken(tr("it greets a second time")); }
};

bool AgentWorker::takeMessage(std::string_view payload)
{
    auto message = link::decodeAgentMessage(payload);
    if (!message)
        return broken(QString::fromStdString(message.error().text()));
    if (m_handshake)
        return takeGreeting(*message);
    return std::visit(Handle{*this}, *message);
}

bool AgentWorker::takeGreeting(const link::AgentMessage& message)
{
    using Next = link::ClientHandshake::Step::Next;
    const auto step = m_handshake->receive(message);
    if (step.send) {
        send(*step.send);
        // The agent has proved itself.
        m_decoder.setLimit(link::frameLimit);
    }
    if (step.next == Next::Wait)
        return true;
    if (step.next == Next::Failed) {
        const bool bye = std::holds_alternative<link::Bye>(message);
        end(bye ? ConnectionInput::Bye : ConnectionInput::Refuse,
            step.error ? QString::fromStdString(step.error->text()) : QString());
        return false;
    }
    const link::Welcome welcome = m_handshake->welcome();
    m_handshake.reset();
    m_greetingTimer->stop();
    if (welcome.run != m_run) {
        end(ConnectionInput::Refuse, tr("the agent has another run than its access file says"));
        return false;
    }
    m_machine.take(ConnectionInput::Welcomed);
    Q_EMIT agentChanged({.run = welcome.run,
                         .epoch = welcome.epoch,
                         .runFile = QString::fromStdString(welcome.runFile),
                         .directory = QString::fromStdString(welcome.directory),
                         .host = QString::fromStdString(welcome.host),
                         .pid = welcome.pid,
                         .serve = welcome.serve});
    Q_EMIT heard(welcome.now);
    tell();
    m_lastBeat = m_lastHeard = std::chrono::steady_clock::now();
    m_beatTimer->start();
    subscribe();
    return true;
}

void AgentWorker::takeNews(News news)
{
    if (!news.status && m_news.waits())
        return; // a status is a sign of life, too
    if (const auto now = m_news.offer(std::move(news)))
        tellNews(*now);
}

void AgentWorker::tellNews(const News& news)
{
    if (news.status)
        Q_EMIT agentStatusChanged(*news.status);
    Q_EMIT heard(news.agentNow);
    Q_EMIT newsTold();
}

void AgentWorker::newsTaken()
{
    // People see no difference between more than so many a second.
    constexpr std::chrono::milliseconds pause(40);
    QTimer::singleShot(pause, this, [this] {
        if (const auto next = m_news.taken())
            tellNews(*next);
    });
}

bool AgentWorker::messageWasTold()
{
    ++m_untaken;
    Q_EMIT messageTold();
    return true;
}

bool AgentWorker::takeBatch(link::Events&& message)
{
    auto batch = std::make_shared<EventBatch>();
    for (const Event& event : message.events) {
        if (!follows(event.id, m_last))
            return broken(tr("events are missing"));
        m_last = event.id;
    }
    for (const link::ShortenedCommand& command : message.shortened) {
        const auto task = command.index < message.events.size()
            ? definedTask(message.events[command.index])
            : std::nullopt;
        if (task)
            batch->shortened.push_back({.task = *task, .bytes = command.commandBytes});
    }
    batch->events = std::move(message.events);
    if (batch->events.empty())
        return true;
    ++m_outstanding;
    Q_EMIT batchRead(batch);
    return true;
}

} // namespace tasuki
