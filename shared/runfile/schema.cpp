// SPDX-License-Identifier: GPL-3.0-or-later
#include "schema.h"

#include "systemviews.h"

#include <sqlite3.h>

#include <utility>

namespace tasuki {

static_assert(
    std::is_same_v<std::variant_alternative_t<static_cast<std::size_t>(EventKind::AttemptFinished),
                                              EventPayload>,
                   AttemptFinished>);
static_assert(std::is_same_v<std::variant_alternative_t<
                                 static_cast<std::size_t>(EventKind::TaskCancelling), EventPayload>,
                             TaskCancelling>);

namespace {

// SQLite keeps these texts with their comments: ".schema" shows them to whoever opens the file.
//
// A row of event holds what the frequent kinds need. Large or rare parts lie apart, so that
// reading all states of a million tasks does not read their output.
constexpr const char* tables = R"sql(
CREATE TABLE meta( -- run: identity of the run; created: UTC; format: words for people
  name TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;

CREATE TABLE kind(id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;
CREATE TABLE outcome(id INTEGER PRIMARY KEY, name TEXT NOT NULL) STRICT;

CREATE TABLE settings( -- of tasks; many tasks share a row
  id INTEGER PRIMARY KEY,
  retries_exit INTEGER NOT NULL, retries_signal INTEGER NOT NULL,
  retries_timeout INTEGER NOT NULL, retries_processor_lost INTEGER NOT NULL,
  timeout_ms INTEGER,        -- NULL: none
  directory BLOB NOT NULL,   -- empty: the one of the run
  environment BLOB NOT NULL  -- name NUL value NUL ...; #time, #warn: what the list says of that
) STRICT;

CREATE TABLE event( -- everything that happened, in the order of ids; rows are only ever added
  id INTEGER PRIMARY KEY,    -- epoch << 40 | sequence
  wall_us INTEGER NOT NULL,  -- microseconds since 1970-01-01 UTC, host of the system master
  mono_ns INTEGER NOT NULL,  -- nanoseconds since the epoch was opened
  kind INTEGER NOT NULL,     -- see table kind
  task INTEGER, attempt INTEGER, rank INTEGER, slot INTEGER,
  outcome INTEGER,           -- of an attempt, see table outcome
  code INTEGER,              -- exit status, signal or errno, by outcome
  disposition INTEGER,       -- of the task: 0 final, 1 retried, 2 queued again
  started_us INTEGER,        -- as wall_us, host of the processor
  elapsed_us INTEGER, user_us INTEGER, system_us INTEGER, max_rss_kib INTEGER,
  settings INTEGER, stage INTEGER, position INTEGER, line INTEGER,
  label BLOB,                -- NULL: the task has neither label nor prerequisites
  prerequisites TEXT,        -- JSON array of task ids, of arrays of them, and of
                             -- {"event":E,"item":I}: the array that is item I of that event's
  command BLOB               -- any bytes
) STRICT;

CREATE TABLE output( -- of attempts that wrote something: beginning, end, bytes written
  event INTEGER PRIMARY KEY,
  stdout_head BLOB NOT NULL, stdout_tail BLOB NOT NULL, stdout_bytes INTEGER NOT NULL,
  stderr_head BLOB NOT NULL, stderr_tail BLOB NOT NULL, stderr_bytes INTEGER NOT NULL
) STRICT;

CREATE TABLE detail( -- what the columns of event have no place for
  event INTEGER NOT NULL, name TEXT NOT NULL, value ANY NOT NULL,
  PRIMARY KEY (event, name)) STRICT, WITHOUT ROWID;

CREATE INDEX event_joined ON event(rank) WHERE kind = 6;
)sql";

constexpr const char* triggers = R"sql(
CREATE TRIGGER event_is_not_changed BEFORE UPDATE ON event
BEGIN SELECT RAISE(ABORT, 'events are never changed'); END;
)sql";

// "tasks" says in SQL what RunState::apply says in C++; a test holds them together.
constexpr const char* views = R"sql(
CREATE VIEW tasks AS -- every task as it stands now
WITH latest AS (
  SELECT task,
    max(id) FILTER (WHERE kind IN (1, 2)) AS described,
    max(id) FILTER (WHERE kind = 3) AS removed,
    max(id) FILTER (WHERE kind IN (1, 4, 5, 8, 9, 12, 13, 14)) AS standing,
    max(id) FILTER (WHERE kind IN (8, 9)) AS tried,
    max(id) FILTER (WHERE kind = 8) AS begun
  FROM event WHERE task IS NOT NULL GROUP BY task),
now AS (SELECT max(id) >> 40 AS epoch FROM event)
SELECT latest.task AS id, d.line, CAST(d.command AS TEXT) AS command,
  CASE
    WHEN latest.removed > latest.described THEN 'removed'
    WHEN s.kind = 5 THEN 'skipped'
    WHEN s.kind = 12 THEN 'held'
    WHEN s.kind = 14 THEN 'cancelled'
    WHEN s.kind = 8 AND s.id >> 40 = now.epoch THEN 'running'
    WHEN s.kind = 9 AND s.disposition = 0 THEN CASE s.outcome
      WHEN 0 THEN 'succeeded' WHEN 4 THEN 'cancelled' ELSE 'failed' END
    ELSE 'queued' END AS state,
  ifnull(t.attempt, 0) AS attempts,
  CASE
    WHEN t.kind = 9 THEN (SELECT name FROM outcome WHERE id = t.outcome)
    WHEN t.id >> 40 < now.epoch THEN 'lost' END AS outcome,
  t.code, t.elapsed_us / 1e6 AS elapsed_s, t.rank,
  (SELECT CAST(value AS TEXT) FROM detail WHERE name = 'host' AND event = (
    SELECT max(id) FROM event AS j WHERE j.kind = 6 AND j.rank = t.rank
      AND j.id < ifnull(b.id, t.id))) AS host
FROM latest JOIN now JOIN event AS d ON d.id = latest.described
  JOIN event AS s ON s.id = latest.standing LEFT JOIN event AS t ON t.id = latest.tried
  LEFT JOIN event AS b ON b.id = latest.begun AND b.attempt = t.attempt AND b.id >> 40 = t.id >> 40;

CREATE VIEW attempts AS -- every attempt; outcome NULL: running, as far as is known
WITH latest AS (
  SELECT max(id) AS id, max(id) FILTER (WHERE kind = 8) AS begun
  FROM event WHERE kind IN (8, 9) GROUP BY task, attempt),
now AS (SELECT max(id) >> 40 AS epoch FROM event)
SELECT a.task, a.attempt, a.rank, a.slot,
  (SELECT CAST(value AS TEXT) FROM detail WHERE name = 'host' AND event = (
    SELECT max(id) FROM event AS j WHERE j.kind = 6 AND j.rank = a.rank
      AND j.id < CASE WHEN latest.begun >> 40 = a.id >> 40 THEN latest.begun ELSE a.id END)) AS host,
  strftime('%Y-%m-%d %H:%M:%f', a.started_us / 1e6, 'unixepoch') AS started,
  a.elapsed_us / 1e6 AS elapsed_s, a.user_us / 1e6 AS user_s, a.system_us / 1e6 AS system_s,
  a.max_rss_kib,
  CASE
    WHEN a.kind = 9 THEN (SELECT name FROM outcome WHERE id = a.outcome)
    WHEN a.id >> 40 < now.epoch THEN 'lost' END AS outcome,
  a.code,
  CASE a.disposition WHEN 0 THEN 'final' WHEN 1 THEN 'retry' WHEN 2 THEN 'requeue' END
    AS disposition,
  CAST(o.stdout_head AS TEXT) AS stdout, ifnull(o.stdout_bytes, 0) AS stdout_bytes,
  ifnull(length(o.stdout_head) + length(o.stdout_tail), 0) AS stdout_kept,
  CAST(o.stderr_head AS TEXT) AS stderr, ifnull(o.stderr_bytes, 0) AS stderr_bytes,
  ifnull(length(o.stderr_head) + length(o.stderr_tail), 0) AS stderr_kept
FROM latest JOIN now JOIN event AS a ON a.id = latest.id LEFT JOIN output AS o ON o.event = a.id;

CREATE VIEW log AS -- every event in words
SELECT e.id >> 40 AS epoch, e.id & 1099511627775 AS sequence,
  strftime('%Y-%m-%d %H:%M:%f', e.wall_us / 1e6, 'unixepoch') AS time,
  (SELECT name FROM kind WHERE id = e.kind) AS event, e.task, e.attempt, e.rank, e.slot,
  CASE
    WHEN e.kind IN (1, 2) THEN CAST(e.command AS TEXT)
    WHEN e.kind = 15 THEN (SELECT group_concat(name || '=' || value, ' ') FROM detail
      WHERE event = e.id AND name IN ('processors', 'seats', 'subclusters', 'units'))
    WHEN e.kind = 9 THEN (SELECT name FROM outcome WHERE id = e.outcome)
      || iif(e.code <> 0, ' (' || e.code || ')', '') || ' after ' || (e.elapsed_us / 1e6) || ' s'
    ELSE (SELECT group_concat(name || '=' || CAST(value AS TEXT), ' ') FROM detail
      WHERE event = e.id AND name NOT GLOB '*_phrase') END AS text
FROM event AS e;
)sql";

template <std::size_t... kinds>
Result<void> insertKinds(Database& database, Statement& insert, std::index_sequence<kinds...>)
{
    for (const auto& payload : {EventPayload(std::in_place_index<kinds>)...}) {
        insert.bind(1, static_cast<std::int64_t>(payload.index()));
        insert.bindText(2, eventKindName(payload));
        if (insert.run() != SQLITE_DONE)
            return database.lastError("cannot be written");
    }
    return {};
}

/// Adds the words for kinds that are missing.
Result<void> insertKinds(Database& database)
{
    auto kind = database.prepare("INSERT OR IGNORE INTO kind VALUES(?1, ?2)");
    if (!kind)
        return kind.error();
    return insertKinds(database, *kind,
                       std::make_index_sequence<std::variant_size_v<EventPayload>>());
}

Result<void> insertWords(Database& database)
{
    if (auto done = insertKinds(database); !done)
        return done;
    auto outcome = database.prepare("INSERT INTO outcome VALUES(?1, ?2)");
    if (!outcome)
        return outcome.error();
    for (int i = 0; i <= static_cast<int>(Outcome::NotStarted); ++i) {
        outcome->bind(1, i);
        outcome->bindText(2, outcomeName(static_cast<Outcome>(i)));
        if (outcome->run() != SQLITE_DONE)
            return database.lastError("cannot be written");
    }
    return {};
}

Result<void> insertMeta(Database& database, const RunId& run)
{
    auto meta = database.prepare("INSERT INTO meta VALUES('run', ?1), ('created', datetime()), "
                                 "('format', 'run file of Tasuki')");
    if (!meta)
        return meta.error();
    meta->bindText(1, run.hex);
    if (meta->run() != SQLITE_DONE)
        return database.lastError("cannot be written");
    return {};
}

} // namespace

Result<void> createSchema(Database& database, const RunId& run)
{
    const std::string marks = "PRAGMA application_id = " + std::to_string(runFileApplicationId)
        + "; PRAGMA user_version = " + std::to_string(runFileVersion);
    for (const char* sql :
         {"BEGIN IMMEDIATE", marks.c_str(), tables, writerTable,
          "INSERT INTO writer VALUES(1, 1, 0)", triggers, deletionTrigger, views, systemViews})
        if (auto done = database.execute(sql); !done)
            return done;
    if (auto done = insertWords(database); !done)
        return done;
    if (auto done = insertMeta(database, run); !done)
        return done;
    if (auto done = database.execute("COMMIT"); !done)
        return done;
    // After the commit: the mode cannot change inside a transaction. It stays with the file.
    return database.execute("PRAGMA journal_mode = WAL");
}

Result<void> completeSchema(Database& database)
{
    const auto kinds = database.integer("SELECT count(*) FROM kind");
    if (!kinds)
        return kinds.error();
    const auto dated = database.integer(
        "SELECT count(*) FROM pragma_table_info('failovers') WHERE name = 'lost'");
    if (!dated)
        return dated.error();
    if (*kinds >= static_cast<std::int64_t>(std::variant_size_v<EventPayload>) && *dated == 1)
        return {};
    if (auto begun = database.execute("BEGIN IMMEDIATE"); !begun)
        return begun;
    Result<void> done = insertKinds(database);
    if (done)
        done = database.execute("DROP VIEW IF EXISTS failovers");
    if (done)
        done = database.execute(systemViews);
    if (done)
        done = database.execute("COMMIT");
    if (!done)
        database.rollBack();
    return done;
}

Result<RunId> readRunId(Database& database)
{
    auto meta = database.prepare("SELECT value FROM meta WHERE name = 'run'");
    if (!meta)
        return meta.error();
    const int code = meta->step();
    if (code != SQLITE_ROW && code != SQLITE_DONE)
        return database.lastError("cannot be read");
    RunId run{code == SQLITE_ROW ? std::string(meta->bytes(0)) : std::string()};
    if (run.hex.size() != 32 || run.hex.find_first_not_of("0123456789abcdef") != std::string::npos)
        return about(database.path(), ErrorKind::Damaged, "is damaged: it does not name its run");
    return run;
}

} // namespace tasuki
