// SPDX-License-Identifier: GPL-3.0-or-later
#include "runfilewriter.h"

#include "agentlock.h"
#include "database.h"
#include "eventencoder.h"
#include "openfile.h"
#include "schema.h"

#include <cerrno>
#include <optional>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <unistd.h>

namespace tasuki {

namespace {

/// Where the file would be: with the directory's links resolved, but not the file's own name.
Result<std::filesystem::path> locateNew(const std::filesystem::path& path)
{
    std::error_code error;
    auto whole = std::filesystem::absolute(path, error);
    auto directory = error ? whole : std::filesystem::canonical(whole.parent_path(), error);
    if (error) {
        Error failure = systemError("cannot be made", error.value());
        failure.place = SourcePlace{.file = path.native()};
        return failure;
    }
    if (whole.filename().empty() || std::filesystem::is_directory(whole, error))
        return Error{.kind = ErrorKind::Input,
                     .message = "is a directory",
                     .remedy = "name a run file (NAME.tasuki)",
                     .place = SourcePlace{.file = path.native()}};
    return directory / whole.filename();
}

Error nameTaken(const std::filesystem::path& path)
{
    return Error{.kind = ErrorKind::Input,
                 .message = "exists already",
                 .remedy = "go on with --resume, or choose another name with --run",
                 .place = SourcePlace{.file = path.native()}};
}

/// Makes the name of a file as durable as its content, where the file system can.
void syncDirectory(const std::filesystem::path& file)
{
    const int descriptor = open(file.parent_path().c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (descriptor < 0)
        return;
    fsync(descriptor);
    close(descriptor);
}

/// Removes a half-made file and what SQLite put beside it.
class Scaffold {
public:
    explicit Scaffold(std::filesystem::path path) : m_path(std::move(path)) { remove(); }
    Scaffold(const Scaffold&) = delete;
    Scaffold& operator=(const Scaffold&) = delete;
    ~Scaffold() { remove(); }

    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    void remove() const
    {
        for (const char* suffix : {"", "-journal", "-wal", "-shm"})
            unlink((m_path.native() + suffix).c_str());
    }
    std::filesystem::path m_path;
};

} // namespace

class RunFileWriter::Impl {
public:
    Impl(AgentLock lock, Database database, RunId run)
        : m_lock(std::move(lock)), m_database(std::move(database)), m_run(std::move(run))
    {}

    Result<void> prepare()
    {
        if (auto set = m_database.execute(writerPragmas); !set)
            return set;
        auto last = m_database.integer("SELECT max(id) FROM event");
        if (!last)
            return last.error();
        if (*last < 0)
            return Error{.kind = ErrorKind::Damaged,
                         .message = "is damaged: an event has a negative id",
                         .place = SourcePlace{.file = m_database.path().native()}};
        m_last = eventIdOf(*last);
        auto encoder = EventEncoder::prepare(m_database);
        if (!encoder)
            return encoder.error();
        m_encoder.emplace(std::move(*encoder));
        return {};
    }

    Result<void> append(std::span<const Event> events)
    {
        EventId last = m_last;
        for (const Event& event : events) {
            if (event.id <= last || event.id.epoch.value() >= epochLimit
                || event.id.sequence.value() >= sequenceLimit)
                return Error{.kind = ErrorKind::Damaged,
                             .message = "event ids are not ascending or too large",
                             .place = SourcePlace{.file = m_database.path().native()}};
            last = event.id;
        }
        if (events.empty())
            return {};
        auto written = write(events);
        if (!written) {
            m_database.rollBack();
            m_encoder->forget();
            return written;
        }
        m_encoder->keep();
        m_last = last;
        return {};
    }

    [[nodiscard]] const RunId& run() const { return m_run; }
    [[nodiscard]] EventId lastEvent() const { return m_last; }

private:
    Result<void> write(std::span<const Event> events)
    {
        if (auto begun = m_database.execute("BEGIN IMMEDIATE"); !begun)
            return begun;
        for (const Event& event : events)
            if (auto inserted = m_encoder->insert(event); !inserted)
                return inserted;
        return m_database.execute("COMMIT");
    }

    // In this order: the lock is given back when the file is at rest.
    AgentLock m_lock;
    Database m_database;
    std::optional<EventEncoder> m_encoder;
    RunId m_run;
    EventId m_last;
};

Result<RunFileWriter> RunFileWriter::create(const std::filesystem::path& path, const RunId& run)
{
    auto located = locateNew(path);
    if (!located)
        return located.error();
    const auto occupied = [&] {
        std::error_code error;
        return std::filesystem::exists(std::filesystem::symlink_status(*located, error));
    };
    if (occupied())
        return nameTaken(path);
    auto lock = AgentLock::acquire(*located);
    if (!lock)
        return lock.error();
    // Made under another name first: a kill at any moment leaves no half run file.
    const Scaffold scaffold(std::filesystem::path(located->native() + ".new"));
    {
        auto database = Database::open(scaffold.path(), Database::Mode::Create);
        if (!database)
            return database.error();
        if (auto made = createSchema(*database, run); !made) {
            database->rollBack();
            return made.error();
        }
    }
    if (link(scaffold.path().c_str(), located->c_str()) != 0) {
        if (errno == EEXIST)
            return nameTaken(path);
        // File systems without hard links (FAT, some network ones): the lock keeps other agents off.
        if (occupied())
            return nameTaken(path);
        if (rename(scaffold.path().c_str(), located->c_str()) != 0) {
            Error failure = systemError("cannot be made", errno);
            failure.place = SourcePlace{.file = path.native()};
            return failure;
        }
    }
    syncDirectory(*located);
    auto database = Database::open(*located, Database::Mode::ReadWrite);
    if (!database)
        return database.error();
    auto impl = std::make_unique<Impl>(std::move(*lock), std::move(*database), run);
    if (auto prepared = impl->prepare(); !prepared)
        return prepared.error();
    return RunFileWriter(std::move(impl));
}

Result<RunFileWriter> RunFileWriter::open(const std::filesystem::path& path)
{
    auto opened = openToWrite(path);
    if (!opened)
        return opened.error();
    // For people's queries alone: a file in which it fails, for want of space perhaps, still works.
    static_cast<void>(completeSchema(opened->database));
    auto impl = std::make_unique<Impl>(std::move(opened->lock), std::move(opened->database),
                                       std::move(opened->run));
    if (auto prepared = impl->prepare(); !prepared)
        return prepared.error();
    return RunFileWriter(std::move(impl));
}

RunFileWriter::RunFileWriter(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
RunFileWriter::RunFileWriter(RunFileWriter&&) noexcept = default;
RunFileWriter& RunFileWriter::operator=(RunFileWriter&&) noexcept = default;
RunFileWriter::~RunFileWriter() = default;

Result<void> RunFileWriter::append(std::span<const Event> events) { return m_impl->append(events); }

const RunId& RunFileWriter::run() const { return m_impl->run(); }

EventId RunFileWriter::lastEvent() const { return m_impl->lastEvent(); }

} // namespace tasuki
