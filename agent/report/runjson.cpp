// SPDX-License-Identifier: GPL-3.0-or-later
#include "runtables.h"

#include "jsonfields.h"

#include <array>

namespace tasuki {

namespace {

using Json = JsonFields::Json;

double secondsSinceEpoch(WallTime time) { return secondsOf(time.time_since_epoch()); }

void put(Json& json, const Task& task)
{
    json["line"] = task.line;
    json["command"] = task.command;
    if (task.links && !task.links->label.empty())
        json["label"] = task.links->label;
}

class Fill {
public:
    explicit Fill(Json& target) : m_json(target) {}

    void operator()(const RunOpened& e) const
    {
        m_json["host"] = e.host;
        m_json["version"] = e.version;
        m_json["directory"] = e.directory;
        m_json["list"] = e.taskList;
        m_json["processors"] = e.processors;
        m_json["dedicated_master"] = e.dedicatedMaster;
    }
    void operator()(const TaskAdded& e) const { putTask(e.id, e.task); }
    void operator()(const TaskChanged& e) const { putTask(e.id, e.task); }
    void operator()(const TaskRemoved& e) const { m_json["task"] = e.id.value(); }
    void operator()(const TaskReopened& e) const { m_json["task"] = e.id.value(); }
    void operator()(const TaskHeld& e) const { m_json["task"] = e.id.value(); }
    void operator()(const TaskReleased& e) const { m_json["task"] = e.id.value(); }
    void operator()(const TaskCancelled& e) const { m_json["task"] = e.id.value(); }
    void operator()(const TaskCancelling& e) const { m_json["task"] = e.id.value(); }
    void operator()(const TaskSkipped& e) const
    {
        m_json["task"] = e.id.value();
        m_json["because"] = e.because.value();
    }
    void operator()(const ProcessorJoined& e) const
    {
        m_json["rank"] = e.rank.value();
        m_json["incarnation"] = e.incarnation.value();
        m_json["host"] = e.host;
        m_json["pid"] = e.pid;
        m_json["slots"] = e.slots;
    }
    void operator()(const ProcessorLost& e) const
    {
        constexpr std::array<const char*, 3> causes{"gone", "silent", "left"};
        m_json["rank"] = e.rank.value();
        m_json["incarnation"] = e.incarnation.value();
        m_json["cause"] = causes.at(static_cast<std::size_t>(e.cause));
    }
    void operator()(const AttemptStarted& e) const
    {
        m_json["task"] = e.key.task.value();
        m_json["attempt"] = e.key.number.value();
        m_json["rank"] = e.rank.value();
        m_json["slot"] = e.slot.value();
    }
    void operator()(const AttemptFinished& e) const
    {
        constexpr std::array<const char*, 3> dispositions{"final", "retry", "requeue"};
        m_json["task"] = e.key.task.value();
        m_json["attempt"] = e.key.number.value();
        m_json["rank"] = e.rank.value();
        m_json["slot"] = e.slot.value();
        m_json["disposition"] = dispositions.at(static_cast<std::size_t>(e.disposition));
        m_json["outcome"] = outcomeName(e.result.outcome);
        m_json["code"] = e.result.code;
        m_json["elapsed_s"] = secondsOf(e.result.elapsed);
    }
    void operator()(const Notice& e) const { m_json["text"] = e.text.text(); }
    void operator()(const RunClosed& e) const
    {
        m_json["end"] = e.end == RunEnd::Complete ? "complete" : "interrupted";
        m_json["elapsed_s"] = secondsOf(e.elapsed);
    }
    /// What is described.
    template <class Payload>
    void operator()(const Payload& e) const
    {
        JsonFields fields(m_json);
        e.describe(fields, e);
    }

private:
    Json& m_json;

    void putTask(TaskId id, const Task& task) const
    {
        m_json["task"] = id.value();
        put(m_json, task);
    }
};

} // namespace

std::string taskJson(const RunHistory& history, TaskId id)
{
    const TaskRecord& record = history.state().task(id);
    Json json;
    json["task"] = id.value();
    put(json, record.task);
    json["state"] = taskStateName(record.state);
    json["attempts"] = record.attempts;
    if (const AttemptSummary* const attempt = history.latest(id)) {
        json["rank"] = attempt->rank.value();
        json["slot"] = attempt->slot.value();
        json["host"] = history.hostName(attempt->host);
        json["started"] = secondsSinceEpoch(attempt->startedAt);
        if (attempt->ended) {
            json["outcome"] = outcomeName(attempt->outcome);
            json["code"] = attempt->code;
            json["elapsed_s"] = secondsOf(attempt->elapsed);
            json["user_s"] = secondsOf(attempt->usage.user);
            json["system_s"] = secondsOf(attempt->usage.system);
            json["max_rss_kib"] = attempt->usage.maxResidentKiB;
            json["output_bytes"] = attempt->outputBytes;
        }
    }
    return JsonFields::line(json);
}

std::string eventJson(const Event& event)
{
    Json json;
    json["epoch"] = event.id.epoch.value();
    json["sequence"] = event.id.sequence.value();
    json["time"] = secondsSinceEpoch(event.wallTime);
    json["kind"] = eventKindName(event.payload);
    std::visit(Fill{json}, event.payload);
    return JsonFields::line(json);
}

} // namespace tasuki
