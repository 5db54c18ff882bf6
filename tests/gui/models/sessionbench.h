// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QObject>

#include "client/session.h"
#include "gui/client/manualsource.h"
#include "support/history.h"
#include "support/manualclock.h"

#include <initializer_list>
#include <memory>
#include <vector>

namespace tasuki::testing {

/// A session whose source and clock are the test's, connected and live.
class SessionBench {
public:
    explicit SessionBench(SourceKind kind = SourceKind::Agent)
    {
        auto owned = std::make_unique<ManualSource>(kind);
        source = owned.get();
        session = std::make_unique<Session>(std::move(owned), clock);
        session->start();
        source->setState(kind == SourceKind::Agent ? ConnectionState::Live
                                                   : ConnectionState::Offline);
    }

    /// Lets events happen: delivered, applied and announced.
    void play(std::vector<Event> events)
    {
        const std::uint64_t wanted = session->eventsApplied() + events.size();
        source->deliver(std::move(events));
        for (int i = 0; i < 10'000 && session->eventsApplied() < wanted; ++i)
            QCoreApplication::processEvents();
        session->announceNow();
    }
    /// The same with ids and times made here: all at one moment, which `at` sets.
    void happen(std::vector<EventPayload> payloads)
    {
        std::vector<Event> events;
        for (EventPayload& payload : payloads) {
            if (std::holds_alternative<RunOpened>(payload)) {
                m_epoch = m_epoch.next();
                m_sequence = {};
                m_opened = at;
            }
            m_sequence = m_sequence.next();
            Event event;
            event.id = {m_epoch, m_sequence};
            event.wallTime = at;
            event.monotonic = at - m_opened;
            event.payload = std::move(payload);
            events.push_back(std::move(event));
        }
        play(std::move(events));
    }
    /// The run begins with so many tasks "task N".
    void begin(std::uint32_t count, std::uint32_t slots = 4)
    {
        RunOpened opened;
        opened.host = "master";
        opened.version = "1";
        std::vector<EventPayload> payloads{opened};
        for (std::uint32_t id = 0; id < count; ++id)
            payloads.push_back(added(id, "task " + std::to_string(id)));
        payloads.push_back(ProcessorJoined{
            .rank = Rank(0), .incarnation = Incarnation(1), .host = "node0", .slots = slots});
        happen(std::move(payloads));
    }

    static TaskAdded added(std::uint32_t id, std::string command)
    {
        return {.id = TaskId(id), .task = task(id, std::move(command))};
    }
    static Task task(std::uint32_t position, std::string command)
    {
        Task task;
        task.command = std::move(command);
        task.settings = std::make_shared<const TaskSettings>();
        task.position = position;
        task.line = position + 1;
        return task;
    }
    [[nodiscard]] AttemptStarted started(std::uint32_t task, std::uint32_t attempt = 1,
                                         std::int32_t rank = 0) const
    {
        return {.key = {TaskId(task), AttemptNumber(attempt)},
                .rank = Rank(rank),
                .slot = SlotIndex(0),
                .startedAt = at};
    }
    [[nodiscard]] AttemptFinished ended(std::uint32_t task, std::uint32_t attempt = 1,
                                        Outcome outcome = Outcome::Succeeded,
                                        std::chrono::microseconds elapsed = {},
                                        Disposition disposition = Disposition::Final,
                                        std::int32_t rank = 0) const
    {
        AttemptFinished finished{.key = {TaskId(task), AttemptNumber(attempt)},
                                 .rank = Rank(rank),
                                 .slot = SlotIndex(0),
                                 .disposition = disposition,
                                 .result = {}};
        finished.result.outcome = outcome;
        finished.result.code = outcome == Outcome::Succeeded ? 0 : 3;
        finished.result.elapsed = elapsed;
        finished.result.startedAt = at - elapsed;
        return finished;
    }
    /// All is void; the events come again.
    void startOver()
    {
        Q_EMIT source->restarted();
        m_epoch = {};
        m_sequence = {};
    }

    ManualClock clock;
    ManualSource* source = nullptr;
    std::unique_ptr<Session> session;
    WallTime at{std::chrono::hours(500'000)};

private:
    Epoch m_epoch;
    WallTime m_opened{};
    Sequence m_sequence;
};

} // namespace tasuki::testing
