// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "client/agentsource.h"
#include "models/runmodels.h"
#include "runfile/runfilereader.h"

#include <QByteArray>
#include <QString>
#include <QTest>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tasuki::testing {

/// Keeps every event that a session applied.
class EventKeeper final : public EventSink {
public:
    std::vector<Event> events;
    int resets = 0;

    void take(const Event& event) override { events.push_back(event); }
    void reset() override
    {
        events.clear();
        ++resets;
    }
};

/// A window without widgets.
struct Window {
    explicit Window(const QString& access) : Window(std::filesystem::path(access.toStdString())) {}
    explicit Window(AgentPlace place)
        : models(std::make_unique<AgentSource>(std::move(place)), clock)
    {
        models.session.addSink(keeper);
        models.session.start();
    }

    /// Sends a command and waits for what becomes of it.
    CommandAnswer command(OperatorCommand wanted)
    {
        std::optional<Result<CommandAnswer>> answer;
        models.session.sendCommand(std::move(wanted),
                                   [&](const Result<CommandAnswer>& got) { answer = got; });
        if (!QTest::qWaitFor([&] { return answer.has_value(); }, 15'000))
            qFatal("no answer to a command");
        if (!*answer)
            return {.accepted = false,
                    .reason = answer->error().text(),
                    .details = {},
                    .conflicts = {}};
        return **answer;
    }
    bool live() const { return models.session.connection().state == ConnectionState::Live; }
    const RunState& state() const { return models.session.state(); }
    std::size_t count(TaskState wanted) const { return state().count(wanted); }
    TaskTarget target(std::uint32_t id) const
    {
        return {TaskId(id), state().task(TaskId(id)).revision};
    }

    SystemClock clock;
    EventKeeper keeper;
    RunModels models;
};

/// What a run file says, without what windows are not sent: the text that attempts wrote.
inline std::vector<Event> recordedEvents(const QString& path)
{
    Result<RunFileReader> reader = RunFileReader::open(path.toStdString());
    if (!reader)
        qFatal("%s", reader.error().text().c_str());
    std::vector<Event> events;
    const Result<void> replayed = reader->replay([&](Event event) -> Result<void> {
        if (auto* finished = std::get_if<AttemptFinished>(&event.payload)) {
            for (CapturedStream* stream :
                 {&finished->result.standardOutput, &finished->result.standardError}) {
                stream->head.clear();
                stream->tail.clear();
            }
        }
        events.push_back(std::move(event));
        return {};
    });
    if (!replayed)
        qFatal("%s", replayed.error().text().c_str());
    return events;
}

inline QByteArray difference(const std::vector<Event>& seen, const std::vector<Event>& recorded)
{
    for (std::size_t i = 0; i < std::min(seen.size(), recorded.size()); ++i) {
        if (seen[i] != recorded[i]) {
            return "event " + QByteArray::number(qulonglong(i)) + " differs: "
                + QByteArray::fromStdString(std::string(eventKindName(seen[i].payload))) + " and "
                + QByteArray::fromStdString(std::string(eventKindName(recorded[i].payload)));
        }
    }
    return QByteArray::number(qulonglong(seen.size())) + " seen, "
        + QByteArray::number(qulonglong(recorded.size())) + " recorded";
}

} // namespace tasuki::testing
