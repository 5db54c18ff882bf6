// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QCoreApplication>
#include <QSettings>
#include <QTemporaryDir>

#include "domain/runstate.h"
#include "gui/client/manualsource.h"
#include "support/manualclock.h"
#include "views/preferences.h"
#include "views/rundocument.h"

namespace tasuki::testing {

/// An opened run whose source is the test's, with preferences that nobody keeps.
class ViewBench {
public:
    explicit ViewBench(SourceKind kind = SourceKind::Agent)
        : preferences(std::make_unique<QSettings>(folder.filePath(QStringLiteral("settings.ini")),
                                                  QSettings::IniFormat))
    {
        auto owned = std::make_unique<ManualSource>(kind);
        source = owned.get();
        document = std::make_unique<RunDocument>(std::move(owned), clock);
        source->setState(kind == SourceKind::Agent ? ConnectionState::Live
                                                   : ConnectionState::Offline);
    }

    RunModels& models() { return document->models(); }

    /// Lets events happen: delivered, applied and announced.
    void happen(std::vector<EventPayload> payloads)
    {
        std::vector<Event> events;
        for (EventPayload& payload : payloads) {
            m_sequence = m_sequence.next();
            events.push_back({.id = {Epoch(1), m_sequence},
                              .wallTime = WallTime(std::chrono::seconds(1'700'000'000)),
                              .monotonic = {},
                              .payload = std::move(payload)});
        }
        play(std::move(events));
    }
    void play(std::vector<Event> events)
    {
        const std::uint64_t wanted = models().session.eventsApplied() + events.size();
        source->deliver(std::move(events));
        for (int i = 0; i < 10'000 && models().session.eventsApplied() < wanted; ++i)
            QCoreApplication::processEvents();
        models().session.announceNow();
        models().tasks.rearrangeNow();
    }
    /// A run with so many queued tasks "task N" and one rank.
    void begin(std::uint32_t count)
    {
        std::vector<EventPayload> payloads{
            RunOpened{.host = "node0", .version = "1", .directory = "/", .taskList = "list"}};
        for (std::uint32_t id = 0; id < count; ++id)
            payloads.push_back(
                TaskAdded{.id = TaskId(id), .task = task(id, "task " + std::to_string(id))});
        payloads.push_back(ProcessorJoined{
            .rank = Rank(0), .incarnation = Incarnation(1), .host = "node0", .pid = 1, .slots = 4});
        happen(std::move(payloads));
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
    static AttemptStarted started(std::uint32_t task)
    {
        return {.key = {TaskId(task), AttemptNumber(1)},
                .rank = Rank(0),
                .slot = SlotIndex(0),
                .startedAt = WallTime(std::chrono::seconds(1'700'000'000))};
    }

    static CommandAnswer accepted()
    {
        CommandAnswer answer;
        answer.accepted = true;
        return answer;
    }
    static CommandAnswer refused(std::string reason, std::vector<std::string> details = {})
    {
        CommandAnswer answer;
        answer.reason = std::move(reason);
        answer.details = std::move(details);
        return answer;
    }

    QTemporaryDir folder;
    ManualClock clock;
    Preferences preferences;
    std::unique_ptr<RunDocument> document;
    ManualSource* source = nullptr; ///< owned by the session

private:
    Sequence m_sequence;
};

} // namespace tasuki::testing
