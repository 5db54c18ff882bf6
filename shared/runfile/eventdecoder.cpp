// SPDX-License-Identifier: GPL-3.0-or-later
#include "eventdecoder.h"

#include "details.h"
#include "domain/timerange.h"
#include "eventdetails.h"
#include "schema.h"
#include "settingstext.h"

#include <sqlite3.h>

#include <limits>

namespace tasuki {

namespace {

enum Column : int {
    IdColumn,
    WallColumn,
    MonotonicColumn,
    KindColumn,
    TaskColumn,
    AttemptColumn,
    RankColumn,
    SlotColumn,
    OutcomeColumn,
    CodeColumn,
    DispositionColumn,
    StartedColumn,
    ElapsedColumn,
    UserColumn,
    SystemColumn,
    ResidentColumn,
    SettingsColumn,
    StageColumn,
    PositionColumn,
    LineColumn,
    LabelColumn,
    PrerequisitesColumn,
    CommandColumn,
};

constexpr std::string_view eventSql =
    "SELECT id, wall_us, mono_ns, kind, task, attempt, rank, slot, outcome, code, disposition, "
    "started_us, elapsed_us, user_us, system_us, max_rss_kib, settings, stage, position, line, "
    "label, prerequisites, command FROM event WHERE id > ?1 ORDER BY id";
constexpr std::string_view detailSql =
    "SELECT event, name, value FROM detail WHERE event > ?1 ORDER BY event, name";
constexpr std::string_view outputSql = "SELECT * FROM output WHERE event > ?1 ORDER BY event";
/// The columns of outputSql without the bytes, which can be large.
constexpr std::string_view totalsSql =
    "SELECT event, x'', x'', stdout_bytes, x'', x'', stderr_bytes "
    "FROM output WHERE event > ?1 ORDER BY event";

Error damagedEvent(const Database& database, std::int64_t row, std::string_view what)
{
    const std::string name = row < 0 ? std::to_string(row)
                                     : std::to_string(eventIdOf(row).epoch.value()) + '.'
            + std::to_string(eventIdOf(row).sequence.value());
    return about(database.path(), ErrorKind::Damaged,
                 "is damaged: event " + name + ' ' + std::string(what));
}

} // namespace

/// The columns of one row, checked. The first thing that is wrong is kept in problem().
class EventDecoder::Row {
public:
    explicit Row(const Statement& row) : m_row(row) {}

    [[nodiscard]] std::int64_t id() const { return m_row.integer(IdColumn); }
    [[nodiscard]] const char* problem() const { return m_problem; }
    void complain(const char* problem)
    {
        if (!m_problem)
            m_problem = problem;
    }

    [[nodiscard]] bool isNull(Column column) const { return m_row.isNull(column); }
    std::string_view bytes(Column column) const { return m_row.bytes(column); }

    std::int64_t wide(Column column)
    {
        const auto value = m_row.integer(column);
        if (value == 0 && m_row.isNull(column))
            complain("lacks a column");
        return value;
    }

    template <class T>
    T narrow(Column column)
    {
        const auto value = wide(column);
        if (!fits<T>(value))
            complain("has a number out of range");
        return static_cast<T>(value);
    }

    template <class I>
    I id(Column column)
    {
        return I(narrow<typename I::Representation>(column));
    }

    /// A closed enumeration whose last value is known.
    template <class E>
    E word(Column column, E last)
    {
        const auto value = wide(column);
        if (value < 0 || value > static_cast<std::int64_t>(last)) {
            complain("has a number that means nothing");
            return E{};
        }
        return static_cast<E>(value);
    }

    template <class Duration = std::chrono::microseconds>
    Duration duration(Column column)
    {
        const Duration duration(wide(column));
        if (!isBelievable(duration))
            complain(hasImpossibleDuration);
        return duration;
    }

    WallTime time(Column column)
    {
        const WallTime time{std::chrono::microseconds(wide(column))};
        if (!isBelievable(time))
            complain(hasImpossibleTime);
        return time;
    }

private:
    const Statement& m_row;
    const char* m_problem = nullptr;
};

Result<void> EventDecoder::SideTable::advance(Database& database)
{
    const int code = rows.step();
    begun = true;
    valid = code == SQLITE_ROW;
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return database.lastError("cannot be read");
    return {};
}

Result<bool> EventDecoder::SideTable::seek(Database& database, std::int64_t event)
{
    while (!begun || (valid && rows.integer(0) < event))
        if (auto moved = advance(database); !moved)
            return moved.error();
    return valid && rows.integer(0) == event;
}

Result<EventDecoder> EventDecoder::prepare(Database& database, EventId after,
                                           RunFileReader::Outputs outputs, SharedParts& shared)
{
    EventDecoder decoder(database, shared);
    decoder.m_withOutputs = outputs != RunFileReader::Outputs::Skip;
    const bool whole = outputs == RunFileReader::Outputs::Include;
    const std::pair<Statement*, std::string_view> texts[] = {
        {&decoder.m_rows, eventSql},
        {&decoder.m_details.rows, detailSql},
        {&decoder.m_outputs.rows, whole ? outputSql : totalsSql}};
    for (const auto& [statement, sql] : texts) {
        auto prepared = database.prepare(sql);
        if (!prepared)
            return prepared.error();
        *statement = std::move(*prepared);
        // Ids are positive: an event with a negative one is met first, and reported.
        if (after == EventId{})
            statement->bind(1, std::numeric_limits<std::int64_t>::min());
        else
            statement->bind(1, rowIdOf(after));
    }
    return decoder;
}

Result<bool> EventDecoder::next(Event& event)
{
    const int code = m_rows.step();
    if (code == SQLITE_DONE)
        return false;
    if (code != SQLITE_ROW)
        return m_database->lastError("cannot be read");
    Row row(m_rows);
    if (row.id() <= 0)
        return damagedEvent(*m_database, row.id(), "has an impossible id");
    event.id = eventIdOf(row.id());
    event.wallTime = row.time(WallColumn);
    event.monotonic = row.duration<std::chrono::nanoseconds>(MonotonicColumn);
    if (auto decoded = decode(row, event); !decoded)
        return decoded.error();
    if (row.problem())
        return damagedEvent(*m_database, row.id(), row.problem());
    return true;
}

Result<void> EventDecoder::decode(Row& row, Event& event)
{
    const auto kind = row.word(KindColumn, EventKind(std::variant_size_v<EventPayload> - 1));
    switch (kind) {
    case EventKind::TaskAdded: {
        auto& added = event.payload.emplace<TaskAdded>();
        added.id = row.id<TaskId>(TaskColumn);
        return readTask(row, added.task);
    }
    case EventKind::TaskChanged: {
        auto& changed = event.payload.emplace<TaskChanged>();
        changed.id = row.id<TaskId>(TaskColumn);
        return readTask(row, changed.task);
    }
    case EventKind::TaskRemoved: event.payload = TaskRemoved{row.id<TaskId>(TaskColumn)}; return {};
    case EventKind::TaskReopened:
        event.payload = TaskReopened{row.id<TaskId>(TaskColumn)};
        return {};
    case EventKind::TaskHeld: event.payload = TaskHeld{row.id<TaskId>(TaskColumn)}; return {};
    case EventKind::TaskReleased:
        event.payload = TaskReleased{row.id<TaskId>(TaskColumn)};
        return {};
    case EventKind::TaskCancelled:
        event.payload = TaskCancelled{row.id<TaskId>(TaskColumn)};
        return {};
    case EventKind::TaskCancelling:
        event.payload = TaskCancelling{row.id<TaskId>(TaskColumn)};
        return {};
    case EventKind::AttemptStarted: {
        auto& started = event.payload.emplace<AttemptStarted>();
        started.key = {row.id<TaskId>(TaskColumn), row.id<AttemptNumber>(AttemptColumn)};
        started.rank = row.id<Rank>(RankColumn);
        started.slot = row.id<SlotIndex>(SlotColumn);
        started.startedAt = row.time(StartedColumn);
        return {};
    }
    case EventKind::AttemptFinished: {
        auto& finished = event.payload.emplace<AttemptFinished>();
        finished.key = {row.id<TaskId>(TaskColumn), row.id<AttemptNumber>(AttemptColumn)};
        finished.rank = row.id<Rank>(RankColumn);
        finished.slot = row.id<SlotIndex>(SlotColumn);
        finished.disposition = row.word(DispositionColumn, Disposition::Requeue);
        AttemptResult& result = finished.result;
        result.outcome = row.word(OutcomeColumn, Outcome::NotStarted);
        result.code = row.narrow<std::int32_t>(CodeColumn);
        result.startedAt = row.time(StartedColumn);
        result.elapsed = row.duration(ElapsedColumn);
        result.usage.user = row.duration(UserColumn);
        result.usage.system = row.duration(SystemColumn);
        result.usage.maxResidentKiB = static_cast<std::uint64_t>(row.wide(ResidentColumn));
        return m_withOutputs ? readOutputs(row, result) : Result<void>();
    }
    default: return decodeDetailed(row, event);
    }
}

Result<void> EventDecoder::decodeDetailed(Row& row, Event& event)
{
    Details details;
    if (auto read = readDetails(row.id(), details); !read)
        return read;
    const auto kind = row.word(KindColumn, EventKind(std::variant_size_v<EventPayload> - 1));
    switch (kind) {
    case EventKind::RunOpened:
        event.payload = RunOpened{
            .host = details.bytes("host"),
            .version = details.bytes("version"),
            .directory = details.bytes("directory"),
            .taskList = details.bytes("task_list"),
            .processors = details.narrow<std::uint32_t>("processors"),
            .dedicatedMaster = details.narrow<std::int64_t>("dedicated_master") != 0};
        break;
    case EventKind::TaskSkipped:
        event.payload = TaskSkipped{row.id<TaskId>(TaskColumn),
                                    TaskId(details.narrow<std::uint32_t>("because"))};
        break;
    case EventKind::ProcessorJoined:
        event.payload = ProcessorJoined{
            .rank = row.id<Rank>(RankColumn),
            .incarnation = Incarnation(details.narrow<std::uint32_t>("incarnation")),
            .host = details.bytes("host"),
            .pid = details.narrow<std::int64_t>("pid"),
            .slots = details.narrow<std::uint32_t>("slots")};
        break;
    case EventKind::ProcessorLost:
        event.payload = ProcessorLost{
            .rank = row.id<Rank>(RankColumn),
            .incarnation = Incarnation(details.narrow<std::uint32_t>("incarnation")),
            .cause = details.word("cause", LossCause::Left)};
        break;
    case EventKind::Notice:
        event.payload = Notice{.severity = details.word("severity", Severity::Failure),
                               .text = details.phrase("text")};
        break;
    case EventKind::RunClosed:
        event.payload = RunClosed{.end = details.word("end", RunEnd::Interrupted),
                                  .elapsed = row.duration(ElapsedColumn)};
        break;
    default: readEventDetails(static_cast<std::size_t>(kind), details, event.payload); break;
    }
    if (details.problem())
        row.complain(details.problem());
    return {};
}

Result<void> EventDecoder::readDetails(std::int64_t event, Details& details)
{
    for (;;) {
        auto found = m_details.seek(*m_database, event);
        if (!found)
            return found.error();
        if (!*found)
            return {};
        const Statement& row = m_details.rows;
        details.add({std::string(row.bytes(1)), row.integer(2), std::string(row.bytes(2))});
        if (auto moved = m_details.advance(*m_database); !moved)
            return moved;
    }
}

Result<void> EventDecoder::readTask(Row& row, Task& task)
{
    auto shared = settings(row.wide(SettingsColumn));
    if (!shared)
        return shared.error();
    if (!*shared)
        row.complain("refers to settings that are not there");
    task.settings = std::move(*shared);
    task.stage = row.narrow<std::uint32_t>(StageColumn);
    task.position = row.narrow<std::uint32_t>(PositionColumn);
    task.line = static_cast<std::uint64_t>(row.wide(LineColumn));
    task.command = row.bytes(CommandColumn);
    if (row.isNull(LabelColumn))
        return {};
    auto links = std::make_shared<TaskLinks>();
    links->label = row.bytes(LabelColumn);
    if (!row.isNull(PrerequisitesColumn)) {
        auto after = m_shared->prerequisites.read(*m_database, row.bytes(PrerequisitesColumn),
                                                  row.id());
        if (!after)
            return after.error();
        if (!*after)
            row.complain("has prerequisites that are no list of tasks");
        else
            links->after = std::move(**after);
    }
    task.links = std::move(links);
    return {};
}

Result<void> EventDecoder::readOutputs(Row& row, AttemptResult& result)
{
    auto found = m_outputs.seek(*m_database, row.id());
    if (!found)
        return found.error();
    if (!*found)
        return {};
    const Statement& output = m_outputs.rows;
    const auto stream = [&](int column, CapturedStream& captured) {
        captured.head = output.bytes(column);
        captured.tail = output.bytes(column + 1);
        captured.totalBytes = static_cast<std::uint64_t>(output.integer(column + 2));
        if (captured.totalBytes < captured.head.size() + captured.tail.size())
            row.complain("has more output than was written");
    };
    stream(1, result.standardOutput);
    stream(4, result.standardError);
    return {};
}

Result<std::shared_ptr<const TaskSettings>> EventDecoder::settings(std::int64_t id)
{
    if (m_latest && id == m_latestId)
        return m_latest;
    if (id > m_shared->latestSettings)
        if (auto loaded = loadSettings(); !loaded)
            return loaded.error();
    const auto found = m_shared->settings.find(id);
    if (found == m_shared->settings.end())
        return std::shared_ptr<const TaskSettings>();
    m_latestId = id;
    m_latest = found->second;
    return m_latest;
}

Result<void> EventDecoder::loadSettings()
{
    auto rows = m_database->prepare(selectSettingsSql);
    if (!rows)
        return rows.error();
    rows->bind(1, m_shared->latestSettings);
    int code = rows->step();
    for (; code == SQLITE_ROW; code = rows->step()) {
        auto settings = settingsOfRow(*rows);
        if (!settings)
            return settings.error();
        m_shared->latestSettings = rows->integer(0);
        m_shared->settings.emplace(rows->integer(0),
                                   std::make_shared<const TaskSettings>(std::move(*settings)));
    }
    if (code != SQLITE_DONE)
        return m_database->lastError("cannot be read");
    return {};
}

} // namespace tasuki
