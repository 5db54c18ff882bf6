// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventencoder.h"

#include "eventdetails.h"
#include "schema.h"
#include "settingstext.h"

#include <sqlite3.h>

#include <initializer_list>
#include <utility>
#include <variant>

namespace tasuki {

namespace {

template <class T>
std::int64_t number(T value)
{
    return static_cast<std::int64_t>(value);
}

bool isEmpty(const CapturedStream& stream)
{
    return stream.totalBytes == 0 && stream.head.empty() && stream.tail.empty();
}

std::int64_t microseconds(WallTime time) { return time.time_since_epoch().count(); }

constexpr auto plainSql = "INSERT INTO event(id, wall_us, mono_ns, kind, task, rank, elapsed_us) "
                          "VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)";
constexpr auto taskSql =
    "INSERT INTO event(id, wall_us, mono_ns, kind, task, settings, stage, position, line, label, "
    "prerequisites, command) VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12)";
constexpr auto startedSql =
    "INSERT INTO event(id, wall_us, mono_ns, kind, task, attempt, rank, slot, started_us) "
    "VALUES(?1, ?2, ?3, 8, ?4, ?5, ?6, ?7, ?8)";
constexpr auto finishedSql =
    "INSERT INTO event(id, wall_us, mono_ns, kind, task, attempt, rank, slot, outcome, code, "
    "disposition, started_us, elapsed_us, user_us, system_us, max_rss_kib) "
    "VALUES(?1, ?2, ?3, 9, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15)";
constexpr auto insertOutput = "INSERT INTO output VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7)";
constexpr auto insertDetail = "INSERT INTO detail VALUES(?1, ?2, ?3)";
constexpr auto settingsSql = "INSERT INTO settings VALUES(?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)";

} // namespace

/// Binds and runs the rows of one event, one overload a payload.
struct EventEncoder::Insert {
    EventEncoder& encoder;
    const Event& event;
    std::int64_t id;

    Result<void> operator()(const RunOpened& opened) const
    {
        return with(plain(),
                    {bytes("host", opened.host), bytes("version", opened.version),
                     bytes("directory", opened.directory), bytes("task_list", opened.taskList),
                     integer("processors", opened.processors),
                     integer("dedicated_master", opened.dedicatedMaster ? 1 : 0)});
    }
    Result<void> operator()(const TaskAdded& added) const { return task(added.id, added.task); }
    Result<void> operator()(const TaskChanged& changed) const
    {
        return task(changed.id, changed.task);
    }
    Result<void> operator()(const TaskRemoved& removed) const { return about(removed.id); }
    Result<void> operator()(const TaskReopened& reopened) const { return about(reopened.id); }
    Result<void> operator()(const TaskHeld& held) const { return about(held.id); }
    Result<void> operator()(const TaskReleased& released) const { return about(released.id); }
    Result<void> operator()(const TaskCancelled& cancelled) const { return about(cancelled.id); }
    Result<void> operator()(const TaskCancelling& cancelling) const { return about(cancelling.id); }
    Result<void> operator()(const TaskSkipped& skipped) const
    {
        return with(about(skipped.id), {integer("because", skipped.because.value())});
    }
    Result<void> operator()(const ProcessorJoined& joined) const
    {
        return with(about(joined.rank),
                    {integer("incarnation", joined.incarnation.value()), bytes("host", joined.host),
                     integer("pid", joined.pid), integer("slots", joined.slots)});
    }
    Result<void> operator()(const ProcessorLost& lost) const
    {
        return with(about(lost.rank),
                    {integer("incarnation", lost.incarnation.value()),
                     integer("cause", number(lost.cause))});
    }
    Result<void> operator()(const Notice& notice) const
    {
        const std::string text = notice.text.text();
        Result<void> written = with(
            plain(), {integer("severity", number(notice.severity)), bytes("text", text)});
        if (const std::string code = notice.text.code(); !code.empty())
            written = with(std::move(written), {bytes(phraseRow("text"), code)});
        return written;
    }
    Result<void> operator()(const RunClosed& closed) const
    {
        Statement& row = begin(PlainRow);
        row.bindNull(5);
        row.bindNull(6);
        row.bind(7, closed.elapsed.count());
        return with(encoder.run(row), {integer("end", number(closed.end))});
    }
    Result<void> operator()(const AttemptStarted& started) const
    {
        Statement& row = begin(StartedRow);
        row.bind(4, started.key.task.value());
        row.bind(5, started.key.number.value());
        row.bind(6, started.rank.value());
        row.bind(7, started.slot.value());
        row.bind(8, microseconds(started.startedAt));
        return encoder.run(row);
    }
    Result<void> operator()(const AttemptFinished& finished) const
    {
        const AttemptResult& result = finished.result;
        Statement& row = begin(FinishedRow);
        row.bind(4, finished.key.task.value());
        row.bind(5, finished.key.number.value());
        row.bind(6, finished.rank.value());
        row.bind(7, finished.slot.value());
        row.bind(8, number(result.outcome));
        row.bind(9, result.code);
        row.bind(10, number(finished.disposition));
        row.bind(11, microseconds(result.startedAt));
        row.bind(12, result.elapsed.count());
        row.bind(13, result.usage.user.count());
        row.bind(14, result.usage.system.count());
        row.bind(15, number(result.usage.maxResidentKiB));
        if (auto done = encoder.run(row); !done)
            return done;
        if (isEmpty(result.standardOutput) && isEmpty(result.standardError))
            return {};
        return output(result);
    }
    /// What is described stands in details alone.
    template <class Payload>
    Result<void> operator()(const Payload&) const
    {
        Result<void> written = plain();
        for (const auto& row : eventDetails(event.payload)) {
            if (!written)
                return written;
            written = detail(row.name, row.value);
        }
        return written;
    }

private:
    /// The statement of a shape with what all rows of event begin with.
    Statement& begin(Shape shape) const
    {
        Statement& row = encoder.m_statements[shape];
        row.bind(1, id);
        row.bind(2, microseconds(event.wallTime));
        row.bind(3, event.monotonic.count());
        if (shape == PlainRow || shape == TaskRow)
            row.bind(4, number(event.payload.index()));
        return row;
    }

    Result<void> plain() const
    {
        Statement& row = begin(PlainRow);
        for (const int unused : {5, 6, 7})
            row.bindNull(unused);
        return encoder.run(row);
    }

    Result<void> about(TaskId task) const
    {
        Statement& row = begin(PlainRow);
        row.bind(5, task.value());
        row.bindNull(6);
        row.bindNull(7);
        return encoder.run(row);
    }

    Result<void> about(Rank rank) const
    {
        Statement& row = begin(PlainRow);
        row.bindNull(5);
        row.bind(6, rank.value());
        row.bindNull(7);
        return encoder.run(row);
    }

    Result<void> task(TaskId taskId, const Task& task) const
    {
        auto settings = encoder.settingsId(task.settings);
        if (!settings)
            return settings.error();
        Statement& row = begin(TaskRow);
        row.bind(5, taskId.value());
        row.bind(6, *settings);
        row.bind(7, task.stage);
        row.bind(8, task.position);
        row.bind(9, number(task.line));
        row.bindNull(10);
        row.bindNull(11);
        if (task.links) {
            row.bindBlob(10, task.links->label);
            if (!task.links->after.empty()) {
                encoder.m_text = encoder.m_prerequisites.text(task.links->after, id);
                row.bindText(11, encoder.m_text);
            }
        }
        row.bindBlob(12, task.command);
        return encoder.run(row);
    }

    Result<void> output(const AttemptResult& result) const
    {
        Statement& row = encoder.m_statements[OutputRow];
        row.bind(1, id);
        row.bindBlob(2, result.standardOutput.head);
        row.bindBlob(3, result.standardOutput.tail);
        row.bind(4, number(result.standardOutput.totalBytes));
        row.bindBlob(5, result.standardError.head);
        row.bindBlob(6, result.standardError.tail);
        row.bind(7, number(result.standardError.totalBytes));
        return encoder.run(row);
    }

    /// A row of table detail.
    struct Value {
        std::string_view name;
        std::variant<std::int64_t, std::string_view> value;
    };

    static Value integer(std::string_view name, std::int64_t value) { return {name, value}; }
    static Value bytes(std::string_view name, std::string_view value) { return {name, value}; }

    /// Adds details to an event, unless writing the event itself failed.
    Result<void> with(Result<void> written, std::initializer_list<Value> details) const
    {
        for (const Value& value : details) {
            if (!written)
                return written;
            written = detail(value.name, value.value);
        }
        return written;
    }

    template <class Text>
    Result<void> detail(std::string_view name, const std::variant<std::int64_t, Text>& value) const
    {
        Statement& row = encoder.m_statements[DetailShape];
        row.bind(1, id);
        row.bindText(2, name);
        if (const auto* number = std::get_if<std::int64_t>(&value))
            row.bind(3, *number);
        else
            row.bindBlob(3, std::get<Text>(value));
        return encoder.run(row);
    }
};

Result<EventEncoder> EventEncoder::prepare(Database& database)
{
    EventEncoder encoder(database);
    const std::array<std::pair<Shape, const char*>, shapeCount> texts{{{PlainRow, plainSql},
                                                                       {TaskRow, taskSql},
                                                                       {StartedRow, startedSql},
                                                                       {FinishedRow, finishedSql},
                                                                       {OutputRow, insertOutput},
                                                                       {DetailShape, insertDetail},
                                                                       {SettingsRow, settingsSql}}};
    for (const auto& [shape, sql] : texts) {
        auto statement = database.prepare(sql);
        if (!statement)
            return statement.error();
        encoder.m_statements[shape] = std::move(*statement);
    }
    if (auto loaded = encoder.loadSettings(); !loaded)
        return loaded.error();
    return encoder;
}

Result<void> EventEncoder::insert(const Event& event)
{
    return std::visit(Insert{*this, event, rowIdOf(event.id)}, event.payload);
}

void EventEncoder::forget()
{
    for (const std::string& key : m_newSettings)
        m_settings.erase(key);
    m_newSettings.clear();
    m_prerequisites.forget();
    m_latest.reset();
}

Result<void> EventEncoder::run(Statement& statement)
{
    const int code = statement.run();
    if (code == SQLITE_DONE)
        return {};
    if (code == SQLITE_TOOBIG)
        return about(m_database->path(), ErrorKind::Input,
                     "a command or output is larger than a run file can hold (1 GB)");
    return m_database->lastError("cannot be written");
}

Result<void> EventEncoder::loadSettings()
{
    auto rows = m_database->prepare(selectSettingsSql);
    if (!rows)
        return rows.error();
    rows->bind(1, 0);
    int code = rows->step();
    for (; code == SQLITE_ROW; code = rows->step()) {
        auto settings = settingsOfRow(*rows);
        if (!settings)
            return settings.error();
        m_settings.emplace(contentOf(*settings), rows->integer(0));
    }
    if (code != SQLITE_DONE)
        return m_database->lastError("cannot be read");
    return {};
}

Result<std::int64_t> EventEncoder::settingsId(const std::shared_ptr<const TaskSettings>& settings)
{
    assert(settings);
    if (settings == m_latest)
        return m_latestId;
    const auto [entry, isNew] = m_settings.emplace(contentOf(*settings),
                                                   number(m_settings.size()) + 1);
    if (isNew) {
        m_newSettings.push_back(entry->first);
        Statement& row = m_statements[SettingsRow];
        row.bind(1, entry->second);
        for (std::size_t cause = 0; cause < retryCauseCount; ++cause)
            row.bind(2 + static_cast<int>(cause), settings->retries.allowed[cause]);
        if (settings->timeout)
            row.bind(6, settings->timeout->count());
        else
            row.bindNull(6);
        row.bindBlob(7, settings->workingDirectory);
        m_text = environmentBytes(*settings);
        row.bindBlob(8, m_text);
        if (auto done = run(row); !done)
            return done.error();
    }
    m_latest = settings;
    m_latestId = entry->second;
    return m_latestId;
}

} // namespace tasuki
