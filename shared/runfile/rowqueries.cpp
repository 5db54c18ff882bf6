// SPDX-License-Identifier: GPL-3.0-or-later
#include "rowqueries.h"

#include "schema.h"

#include <sqlite3.h>

#include <unordered_set>
#include <utility>

namespace tasuki {

namespace {

constexpr std::string_view settingsOf =
    "SELECT id, retries_exit, retries_signal, retries_timeout, retries_processor_lost, "
    "timeout_ms, directory, environment FROM settings WHERE id = ?1";
constexpr std::string_view eventsAfter =
    "SELECT id, wall_us, mono_ns, kind, task, attempt, rank, slot, outcome, code, disposition, "
    "started_us, elapsed_us, user_us, system_us, max_rss_kib, settings, stage, position, line, "
    "label, prerequisites, command FROM event WHERE id > ?1 ORDER BY id";
constexpr std::string_view outputsAfter =
    "SELECT event, stdout_head, stdout_tail, stdout_bytes, stderr_head, stderr_tail, stderr_bytes "
    "FROM output WHERE event > ?1 ORDER BY event";
constexpr std::string_view detailsAfter =
    "SELECT event, name, value FROM detail WHERE event > ?1 ORDER BY event, name";
constexpr int settingsAt = 16; ///< column of eventsAfter

/// A statement that is reset in any case: while it stands, SQLite keeps old pages.
class Standing {
public:
    Standing(Statement& statement, std::int64_t after) : m_statement(statement)
    {
        m_statement.bind(1, after);
        step();
    }
    Standing(const Standing&) = delete;
    Standing& operator=(const Standing&) = delete;
    ~Standing() { m_statement.reset(); }

    void step() { m_code = m_statement.step(); }
    [[nodiscard]] bool there() const { return m_code == SQLITE_ROW; }
    [[nodiscard]] bool failed() const { return m_code != SQLITE_ROW && m_code != SQLITE_DONE; }
    [[nodiscard]] const Statement& row() const { return m_statement; }

private:
    Statement& m_statement;
    int m_code = SQLITE_DONE;
};

void addUpTo(std::int64_t id, RowTable table, Standing& rows, std::string& out)
{
    for (; rows.there() && rows.row().integer(0) <= id; rows.step())
        addRow(out, table, rows.row());
}

} // namespace

Result<RowQueries> RowQueries::prepare(Database& database)
{
    RowQueries queries;
    for (auto [statement, sql] : {std::pair{&queries.m_settings, settingsOf},
                                  {&queries.m_events, eventsAfter},
                                  {&queries.m_outputs, outputsAfter},
                                  {&queries.m_details, detailsAfter}}) {
        auto prepared = database.prepare(sql);
        if (!prepared)
            return prepared.error();
        *statement = std::move(*prepared);
    }
    return queries;
}

Result<RecordRows> RowQueries::read(Database& database, EventId after, std::size_t bytes)
{
    RecordRows rows{.after = after, .last = after, .bytes = {}};
    Standing events(m_events, rowIdOf(after));
    Standing outputs(m_outputs, rowIdOf(after));
    Standing details(m_details, rowIdOf(after));
    std::unordered_set<std::int64_t> told;
    for (; events.there() && (rows.empty() || rows.bytes.size() < bytes); events.step()) {
        const std::int64_t id = events.row().integer(0);
        if (!events.row().isNull(settingsAt)
            && told.insert(events.row().integer(settingsAt)).second)
            addSettings(events.row().integer(settingsAt), rows.bytes);
        addRow(rows.bytes, RowTable::Event, events.row());
        addUpTo(id, RowTable::Output, outputs, rows.bytes);
        addUpTo(id, RowTable::Detail, details, rows.bytes);
        rows.last = eventIdOf(id);
    }
    if (events.failed() || outputs.failed() || details.failed())
        return database.lastError("cannot be read");
    return rows;
}

void RowQueries::addSettings(std::int64_t id, std::string& out)
{
    const Standing settings(m_settings, id);
    if (settings.there())
        addRow(out, RowTable::Settings, settings.row());
}

Result<RowInserts> RowInserts::prepare(Database& database)
{
    RowInserts inserts;
    for (std::size_t i = 0; i < rowShapes.size(); ++i) {
        auto insert = database.prepare(rowShapes[i].insert);
        if (!insert)
            return insert.error();
        inserts.m_inserts[i] = std::move(*insert);
    }
    return inserts;
}

Result<void> RowInserts::insert(Database& database, const RecordRows& rows)
{
    std::int64_t last = rowIdOf(rows.after);
    RowTextReader reader(rows.bytes);
    while (!reader.atEnd()) {
        const auto shape = reader.next();
        if (!shape)
            return shape.error();
        Statement& insert = m_inserts[static_cast<std::size_t>(*shape - rowShapes.data())];
        const auto first = reader.bind(**shape, insert);
        if (!first) {
            insert.reset();
            return first.error();
        }
        const bool ofEvent = (*shape)->table == RowTable::Event;
        if (ofEvent ? *first <= last : (*shape)->table != RowTable::Settings && *first != last) {
            insert.reset();
            return rowsDoNotFollow();
        }
        last = ofEvent ? *first : last;
        if (insert.run() != SQLITE_DONE)
            return database.lastError("cannot be written");
    }
    return last == rowIdOf(rows.last) ? Result<void>() : rowsDoNotFollow();
}

Error rowsDoNotFollow()
{
    return {.kind = ErrorKind::Protocol, .message = "rows that do not follow those before"};
}

} // namespace tasuki
