// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

#include "client/sessionsource.h"

#include <map>
#include <utility>
#include <vector>

namespace tasuki::testing {

/// A source that says what the test says, at once.
class ManualSource final : public SessionSource {
public:
    explicit ManualSource(SourceKind kind = SourceKind::Agent) : m_kind(kind) {}

    [[nodiscard]] SourceKind kind() const override { return m_kind; }
    [[nodiscard]] QString name() const override { return named; }
    void start() override { started = true; }
    void release(std::size_t batches) override { released += batches; }
    void restart() override { ++restarts; }
    void retryNow() override {}
    void sendCommand(OperatorCommand command, CommandDone done) override
    {
        commands.push_back({std::move(command), std::move(done)});
    }
    void requestOutput(OutputQuery query, OutputDone done) override
    {
        queries.push_back({query, std::move(done)});
    }
    void requestTask(TaskId task, TaskDone done) override
    {
        tasks.push_back({task, std::move(done)});
    }

    void deliver(std::vector<Event> events, std::vector<ShortCommand> shortened = {})
    {
        EventBatch batch{.events = std::move(events), .shortened = std::move(shortened)};
        Q_EMIT batchArrived(std::make_shared<const EventBatch>(std::move(batch)));
    }
    void setState(ConnectionState state)
    {
        ConnectionStatus status;
        status.state = state;
        Q_EMIT statusChanged(status);
    }

    QString named = QStringLiteral("manual");
    bool started = false;
    int restarts = 0;
    std::size_t released = 0;
    std::vector<std::pair<OperatorCommand, CommandDone>> commands;
    std::vector<std::pair<OutputQuery, OutputDone>> queries;
    std::vector<std::pair<TaskId, TaskDone>> tasks;

private:
    SourceKind m_kind;
};

/// Whether two states say the same of everything.
inline bool sameState(const RunState& a, const RunState& b)
{
    if (a.lastEvent() != b.lastEvent() || a.tasks().size() != b.tasks().size()
        || a.opened() != b.opened() || a.closed() != b.closed()
        || a.processors().size() != b.processors().size())
        return false;
    for (std::uint32_t id = 0; id < a.tasks().size(); ++id) {
        const TaskRecord& x = a.tasks()[id];
        const TaskRecord& y = b.tasks()[id];
        if (!(x.task == y.task) || x.state != y.state || x.attempts != y.attempts
            || x.revision != y.revision || x.retriesUsed != y.retriesUsed
            || x.lastElapsed != y.lastElapsed)
            return false;
    }
    return true;
}

/// What events make of an empty state.
inline RunState stateOf(const std::vector<Event>& events)
{
    RunState state;
    for (const Event& event : events) {
        if (auto taken = state.apply(event); !taken)
            qFatal("%s", taken.error().text().c_str());
    }
    return state;
}

} // namespace tasuki::testing
