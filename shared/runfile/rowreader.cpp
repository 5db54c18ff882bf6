// SPDX-License-Identifier: GPL-3.0-or-later
#include "rowreader.h"

#include "openfile.h"
#include "recordmarks.h"
#include "rowtext.h"
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

} // namespace

class RowReader::Impl {
public:
    Impl(Database opened, RunId identity) : database(std::move(opened)), run(std::move(identity)) {}

    Result<void> prepare()
    {
        for (auto [statement, sql] : {std::pair{&m_settings, settingsOf},
                                      {&m_events, eventsAfter},
                                      {&m_outputs, outputsAfter},
                                      {&m_details, detailsAfter}}) {
            auto prepared = database.prepare(sql);
            if (!prepared)
                return prepared.error();
            *statement = std::move(*prepared);
        }
        return {};
    }
    Result<RecordRows> read(EventId after, std::size_t bytes)
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

    Database database;
    RunId run;

private:
    /// One that is missing is told by whoever reads the event.
    void addSettings(std::int64_t id, std::string& out)
    {
        const Standing settings(m_settings, id);
        if (settings.there())
            addRow(out, RowTable::Settings, settings.row());
    }
    static void addUpTo(std::int64_t id, RowTable table, Standing& rows, std::string& out)
    {
        for (; rows.there() && rows.row().integer(0) <= id; rows.step())
            addRow(out, table, rows.row());
    }

    Statement m_settings;
    Statement m_events;
    Statement m_outputs;
    Statement m_details;
};

Result<RowReader> RowReader::open(const std::filesystem::path& path)
{
    auto database = openToRead(path);
    if (!database)
        return database.error();
    auto run = readRunId(*database);
    if (!run)
        return run.error();
    auto impl = std::make_unique<Impl>(std::move(*database), std::move(*run));
    if (auto prepared = impl->prepare(); !prepared)
        return prepared.error();
    return RowReader(std::move(impl));
}

RowReader::RowReader(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
RowReader::RowReader(RowReader&&) noexcept = default;
RowReader& RowReader::operator=(RowReader&&) noexcept = default;
RowReader::~RowReader() = default;

Result<RecordRows> RowReader::read(EventId after, std::size_t bytes)
{
    return m_impl->read(after, bytes);
}

Result<std::optional<RecordMark>> RowReader::firstShared(std::span<const RecordMark> marks)
{
    for (const RecordMark& mark : marks) {
        const auto own = markAtOrBefore(m_impl->database, rowIdOf(mark.id));
        if (!own)
            return own.error();
        if (*own == mark)
            return *own;
    }
    return std::optional<RecordMark>();
}

Result<std::optional<RecordMark>> RowReader::latest() { return latestMark(m_impl->database); }

const RunId& RowReader::run() const { return m_impl->run; }

Result<std::optional<RecordPlace>> RowReader::copyOf() { return readCopyOf(m_impl->database); }

} // namespace tasuki
