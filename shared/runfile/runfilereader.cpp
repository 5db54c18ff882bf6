// SPDX-License-Identifier: GPL-3.0-or-later
#include "runfilereader.h"

#include "database.h"
#include "eventdecoder.h"
#include "recordmarks.h"
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

} // namespace

class RunFileReader::Impl {
public:
    explicit Impl(ReadableRecord opened) : view(std::move(opened)) {}

    /// @return the database as it is now
    Result<Database*> now()
    {
        const auto another = view.refresh();
        if (!another)
            return another.error();
        if (*another)
            shared = {};
        return &view.database();
    }

    ReadableRecord view;
    SharedParts shared;
};

Result<RunFileReader> RunFileReader::open(const std::filesystem::path& path)
{
    auto view = ReadableRecord::open(path);
    if (!view)
        return view.error();
    return RunFileReader(std::make_unique<Impl>(std::move(*view)));
}

RunFileReader::RunFileReader(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
RunFileReader::RunFileReader(RunFileReader&&) noexcept = default;
RunFileReader& RunFileReader::operator=(RunFileReader&&) noexcept = default;
RunFileReader::~RunFileReader() = default;

Result<void> RunFileReader::replay(const Take& take, EventId after, Outputs outputs)
{
    const auto now = m_impl->now();
    if (!now)
        return now.error();
    Database& database = **now;
    const Snapshot snapshot(database);
    if (!snapshot.begun())
        return snapshot.begun();
    auto decoder = EventDecoder::prepare(database, after, outputs, m_impl->shared);
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
    const auto now = m_impl->now();
    if (!now)
        return now.error();
    Database& database = **now;
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
                                         Outputs::Include, m_impl->shared);
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
    const auto now = m_impl->now();
    if (!now)
        return now.error();
    auto last = (*now)->integer("SELECT max(id) FROM event");
    if (!last)
        return last.error();
    return eventIdOf(*last);
}

const RunId& RunFileReader::run() const { return m_impl->view.run(); }

std::optional<RecordAge> RunFileReader::age() const { return m_impl->view.age(); }

Result<std::optional<RecordPlace>> RunFileReader::copyOf()
{
    return readCopyOf(m_impl->view.database());
}

} // namespace tasuki
