// SPDX-License-Identifier: GPL-3.0-or-later
#include "runfilecopy.h"

#include "openfile.h"
#include "recordmarks.h"
#include "rowqueries.h"
#include "runfilewriter.h"
#include "schema.h"

#include <optional>
#include <utility>

namespace tasuki {

namespace {

// Events are never changed or deleted; but these have never been any, as far as anybody was told.
constexpr const char* dropTriggers = "DROP TRIGGER IF EXISTS event_is_not_deleted";

} // namespace

class RunFileCopy::Impl {
public:
    explicit Impl(WritableRunFile opened)
        : m_lock(std::move(opened.lock)),
          m_database(std::move(opened.database)),
          m_run(std::move(opened.run))
    {}

    Result<void> prepare()
    {
        if (auto set = m_database.execute(writerPragmas); !set)
            return set;
        auto inserts = RowInserts::prepare(m_database);
        if (!inserts)
            return inserts.error();
        m_inserts.emplace(std::move(*inserts));
        const auto token = readToken(m_database);
        if (!token)
            return token.error();
        if (auto followed = follow(*token); !followed)
            return followed;
        return findLast();
    }

    Result<void> follow(WriterToken token)
    {
        if (const auto raised = raiseToken(m_database, TokenWish::keep(token)); !raised)
            return raised.error();
        auto fence = TokenFence::prepare(m_database, token);
        if (!fence)
            return fence.error();
        m_fence.emplace(std::move(*fence));
        return {};
    }

    Database& database() { return m_database; }
    [[nodiscard]] const RunId& run() const { return m_run; }
    [[nodiscard]] EventId last() const { return m_last; }

    Result<void> cutAfter(EventId last)
    {
        const std::string row = std::to_string(rowIdOf(last));
        const std::string sql = std::string(dropTriggers) + "; DELETE FROM detail WHERE event > "
            + row + "; DELETE FROM output WHERE event > " + row + "; DELETE FROM event WHERE id > "
            + row + "; " + deletionTrigger + "COMMIT";
        auto done = begin();
        if (done)
            done = m_database.execute(sql.c_str());
        if (!done) {
            m_database.rollBack();
            return done;
        }
        return findLast();
    }

    Result<void> append(std::span<const RecordRows> batches)
    {
        auto written = write(batches);
        if (!written) {
            m_database.rollBack();
            return written;
        }
        if (!batches.empty())
            m_last = batches.back().last;
        return {};
    }

private:
    Result<void> findLast()
    {
        auto mark = latestMark(m_database);
        if (!mark)
            return mark.error();
        m_last = *mark ? (*mark)->id : EventId{};
        return {};
    }

    /// Begins a transaction, unless somebody else writes the file by now.
    Result<void> begin()
    {
        if (auto begun = m_database.execute("BEGIN IMMEDIATE"); !begun)
            return begun;
        const auto newer = m_fence->hold(m_database);
        if (!newer)
            return newer.error();
        if (*newer)
            return goesOnElsewhere(**newer, m_database.path());
        return {};
    }

    Result<void> write(std::span<const RecordRows> batches)
    {
        if (auto begun = begin(); !begun)
            return begun;
        EventId last = m_last;
        for (const RecordRows& rows : batches) {
            if (rows.after != last)
                return rowsDoNotFollow();
            if (auto inserted = m_inserts->insert(m_database, rows); !inserted)
                return inserted;
            last = rows.last;
        }
        return m_database.execute("COMMIT");
    }

    // In this order: the lock is given back when the file is at rest.
    AgentLock m_lock;
    Database m_database;
    RunId m_run;
    std::optional<RowInserts> m_inserts;
    std::optional<TokenFence> m_fence;
    EventId m_last;
};

Result<RunFileCopy> RunFileCopy::create(const std::filesystem::path& path, const RunId& run,
                                        const RecordPlace& original)
{
    {
        const auto made = RunFileWriter::create(path, run);
        if (!made)
            return made.error();
    }
    auto copy = open(path);
    if (!copy)
        return copy;
    if (auto written = writeCopyOf(copy->m_impl->database(), original); !written)
        return written.error();
    return copy;
}

Result<RunFileCopy> RunFileCopy::open(const std::filesystem::path& path)
{
    auto opened = openToWrite(path);
    if (!opened)
        return opened.error();
    static_cast<void>(completeSchema(opened->database));
    auto impl = std::make_unique<Impl>(std::move(*opened));
    if (auto prepared = impl->prepare(); !prepared)
        return prepared.error();
    return RunFileCopy(std::move(impl));
}

RunFileCopy::RunFileCopy(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
RunFileCopy::RunFileCopy(RunFileCopy&&) noexcept = default;
RunFileCopy& RunFileCopy::operator=(RunFileCopy&&) noexcept = default;
RunFileCopy::~RunFileCopy() = default;

const RunId& RunFileCopy::run() const { return m_impl->run(); }

Result<std::optional<RecordPlace>> RunFileCopy::copyOf() { return readCopyOf(m_impl->database()); }

EventId RunFileCopy::lastEvent() const { return m_impl->last(); }

Result<std::vector<RecordMark>> RunFileCopy::marks() { return ladderOfMarks(m_impl->database()); }

Result<void> RunFileCopy::follow(WriterToken token) { return m_impl->follow(token); }

Result<void> RunFileCopy::cutAfter(EventId last) { return m_impl->cutAfter(last); }

Result<void> RunFileCopy::append(std::span<const RecordRows> batches)
{
    return m_impl->append(batches);
}

} // namespace tasuki
