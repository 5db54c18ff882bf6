// SPDX-License-Identifier: GPL-3.0-or-later
#include "runfilereader.h"

#include "database.h"
#include "eventdecoder.h"
#include "fileheader.h"
#include "openfile.h"
#include "schema.h"

#include <sqlite3.h>

#include <utility>

namespace tasuki {

namespace {

/// A read transaction: all statements see the file as it was when the first one began.
class Snapshot {
public:
    explicit Snapshot(Database& database) : m_database(database), m_begun(database.execute("BEGIN"))
    {}
    Snapshot(const Snapshot&) = delete;
    Snapshot& operator=(const Snapshot&) = delete;
    ~Snapshot() { m_database.rollBack(); }

    [[nodiscard]] const Result<void>& begun() const { return m_begun; }

private:
    Database& m_database;
    Result<void> m_begun;
};

/// Checks that what is read from are tables. A stranger could have put views there that never end.
/// That one is missing is told when it is read.
Result<void> checkTables(Database& database)
{
    auto others = database.integer(
        "SELECT count(*) FROM sqlite_schema WHERE lower(name) IN ('meta', "
        "'settings', 'event', 'output', 'detail') AND NOT (type = 'table' "
        "AND rootpage > 0)");
    if (!others)
        return others.error();
    if (*others == 0)
        return {};
    return Error{.kind = ErrorKind::Damaged,
                 .message = "is damaged: what should be a table of a run file is none",
                 .place = SourcePlace{.file = database.path().native()}};
}

} // namespace

class RunFileReader::Impl {
public:
    Impl(Database opened, RunId identity) : database(std::move(opened)), run(std::move(identity)) {}

    Database database;
    RunId run;
    SettingsCache settings;
};

Result<RunFileReader> RunFileReader::open(const std::filesystem::path& path)
{
    auto located = locateRunFile(path);
    if (!located)
        return located.error();
    auto database = openToRead(*located);
    if (!database)
        return database.error();
    if (auto whole = checkTables(*database); !whole)
        return whole.error();
    auto run = readRunId(*database);
    if (!run)
        return run.error();
    return RunFileReader(std::make_unique<Impl>(std::move(*database), std::move(*run)));
}

RunFileReader::RunFileReader(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
RunFileReader::RunFileReader(RunFileReader&&) noexcept = default;
RunFileReader& RunFileReader::operator=(RunFileReader&&) noexcept = default;
RunFileReader::~RunFileReader() = default;

Result<void> RunFileReader::replay(const Take& take, EventId after, Outputs outputs)
{
    Database& database = m_impl->database;
    const Snapshot snapshot(database);
    if (!snapshot.begun())
        return snapshot.begun();
    auto decoder = EventDecoder::prepare(database, after, outputs, m_impl->settings);
    if (!decoder)
        return decoder.error();
    for (;;) {
        Event event;
        auto more = decoder->next(event);
        if (!more)
            return more.error();
        if (!*more)
            return {};
        if (auto taken = take(std::move(event)); !taken)
            return taken;
    }
}

Result<std::optional<AttemptResult>> RunFileReader::attempt(AttemptKey key)
{
    Database& database = m_impl->database;
    const Snapshot snapshot(database);
    if (!snapshot.begun())
        return snapshot.begun().error();
    // The latest first: that is what people look at.
    auto search = database.prepare("SELECT id FROM event WHERE kind = 9 AND task = ?1 AND "
                                   "attempt = ?2 ORDER BY id DESC LIMIT 1");
    if (!search)
        return search.error();
    search->bind(1, key.task.value());
    search->bind(2, key.number.value());
    const int code = search->step();
    if (code == SQLITE_DONE)
        return std::optional<AttemptResult>();
    if (code != SQLITE_ROW)
        return database.lastError("cannot be read");
    auto decoder = EventDecoder::prepare(database, eventIdOf(search->integer(0) - 1),
                                         Outputs::Include, m_impl->settings);
    if (!decoder)
        return decoder.error();
    Event event;
    auto found = decoder->next(event);
    if (!found)
        return found.error();
    auto* finished = std::get_if<AttemptFinished>(&event.payload);
    if (!*found || !finished)
        return std::optional<AttemptResult>();
    return std::optional<AttemptResult>(std::move(finished->result));
}

Result<EventId> RunFileReader::lastEvent()
{
    auto last = m_impl->database.integer("SELECT max(id) FROM event");
    if (!last)
        return last.error();
    return eventIdOf(*last);
}

const RunId& RunFileReader::run() const { return m_impl->run; }

} // namespace tasuki
