// SPDX-License-Identifier: GPL-3.0-or-later
#include "readablerecord.h"

#include "fileheader.h"
#include "openfile.h"
#include "ownerclaim.h"
#include "rebuiltrecord.h"
#include "recordsave.h"
#include "recordsite.h"
#include "schema.h"
#include "shipmentreader.h"

#include "files/temporarydirectory.h"

#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include <unistd.h>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

bool isWrittenInPlace(const fs::path& path)
{
    std::error_code error;
    return hasWriteAheadLog(path) || fs::exists(path.native() + ".lock", error);
}

/// A writer puts a new file in the place of the old one now and then. Some shared file systems show neither
/// for a moment, or the old one's remains.
bool mayBeInReplacement(const fs::path& path, const Error& error)
{
    std::error_code none;
    return error.kind == ErrorKind::System && fs::exists(OwnerClaim::pathOf(path), none);
}

/// Checks that what is read from are tables. A stranger could have put views there that never end.
/// That one is missing is told when it is read.
Result<void> checkTables(Database& database)
{
    auto others = database.integer(
        "SELECT count(*) FROM sqlite_schema WHERE lower(name) IN ('meta', "
        "'settings', 'event', 'output', 'detail', 'writer') AND NOT (type = 'table' "
        "AND rootpage > 0)");
    if (!others)
        return others.error();
    if (*others == 0)
        return {};
    return about(database.path(), ErrorKind::Damaged,
                 "is damaged: what should be a table of a run file is none");
}

/// What stands under a name now; the default when there is nothing.
FreshFile::Identity identityOf(const fs::path& path)
{
    const auto file = FreshFile::open(path);
    return file ? file->identity() : FreshFile::Identity{};
}

} // namespace

class ReadableRecord::Impl {
public:
    enum class Kind : std::uint8_t { InPlace, AtRest, Copied, Live, Rebuilt };

    Impl(Kind sort, fs::path name, Database opened, RunId identity)
        : kind(sort),
          path(std::move(name)),
          seen(sort == Kind::InPlace ? identityUnder(path).value_or(FreshFile::Identity())
                                     : identityOf(path)),
          database(std::move(opened)),
          run(std::move(identity))
    {}

    static Result<std::unique_ptr<Impl>> open(const fs::path& named);

    Kind kind;
    fs::path path;
    FreshFile::Identity seen; ///< what stood under the name
    Database database;
    RunId run;
    std::optional<RebuiltRecord> rebuilt; ///< fills the database
    RecordAge age;

private:
    static Result<std::unique_ptr<Impl>> make(Kind kind, const fs::path& path,
                                              Result<Database> database);
    static Result<std::unique_ptr<Impl>> openCopy(const fs::path& path);
    static Result<std::unique_ptr<Impl>> openShipment(const fs::path& path);
};

Result<std::unique_ptr<ReadableRecord::Impl>> ReadableRecord::Impl::open(const fs::path& named)
{
    const auto path = locateRunFile(named);
    if (!path)
        return path.error();
    const auto lay = layOf(*path);
    if (!lay)
        return lay.error();
    if (*lay == RecordLay::InPlace) {
        // First: to look into a database apart would drop the locks that others here hold on it.
        auto opened = make(Kind::InPlace, *path, openToRead(*path));
        if (opened || opened.error().kind != ErrorKind::Foreign)
            return opened;
        const auto shipped = isShipment(*path);
        return shipped && *shipped ? openShipment(*path) : std::move(opened);
    }
    const auto shipped = isShipment(*path);
    if (!shipped)
        return shipped.error();
    if (*shipped)
        return openShipment(*path);
    if (isWrittenInPlace(*path))
        return openCopy(*path);
    return make(Kind::AtRest, *path, openAtRest(*path));
}

Result<std::unique_ptr<ReadableRecord::Impl>> ReadableRecord::Impl::make(Kind kind,
                                                                         const fs::path& path,
                                                                         Result<Database> database)
{
    if (!database)
        return database.error();
    if (auto whole = checkTables(*database); !whole)
        return whole.error();
    auto run = readRunId(*database);
    if (!run)
        return run.error();
    return std::make_unique<Impl>(kind, path, std::move(*database), std::move(*run));
}

Result<std::unique_ptr<ReadableRecord::Impl>> ReadableRecord::Impl::openCopy(const fs::path& path)
{
    const auto root = localRecords();
    if (!root)
        return root.error();
    const auto directory = TemporaryDirectory::make(*root, "view.");
    if (!directory)
        return directory.error();
    const fs::path copy = directory->path() / "copy.tasuki";
    const auto changed = copyAsItIs(path, copy);
    if (!changed)
        return changed.error();
    // Its files are open from here on, and needed under their names no more.
    auto made = make(Kind::Copied, path, openToRead(copy));
    if (made)
        (*made)->age.asOf = WallTime(std::chrono::microseconds(*changed));
    return made;
}

Result<std::unique_ptr<ReadableRecord::Impl>> ReadableRecord::Impl::openShipment(
    const fs::path& path)
{
    auto reader = ShipmentReader::open(path);
    if (!reader)
        return reader.error();
    if (const auto root = localRecords()) {
        const LocalPlace place = localPlaceOf(*root, reader->opening().run);
        const auto origin = place.origin();
        // One of an earlier life of the run is older than the shipment.
        if (origin && origin->token == reader->opening().owner.token) {
            if (auto live = make(Kind::Live, path, openToRead(place.record())))
                return live;
        }
    }
    auto database = Database::open(path, Database::Mode::Temporary);
    if (!database)
        return database.error();
    auto rebuilt = RebuiltRecord::begin(*database, reader->opening());
    if (!rebuilt)
        return rebuilt.error();
    auto made = make(Kind::Rebuilt, path, std::move(database));
    if (!made)
        return made;
    (*made)->seen = reader->identity();
    (*made)->rebuilt = std::move(*rebuilt);
    if (auto done = (*made)->rebuilt->takeAll((*made)->database, *reader, (*made)->age); !done)
        return done.error();
    return made;
}

void ReadableRecord::pauseForReplaced()
{
    std::this_thread::sleep_for(std::chrono::milliseconds(500) / looksForReplaced);
}

Result<ReadableRecord> ReadableRecord::open(const fs::path& path, const Pause& pause)
{
    auto impl = Impl::open(path);
    for (int i = 0; i < looksForReplaced && !impl && mayBeInReplacement(path, impl.error()); ++i) {
        pause();
        impl = Impl::open(path);
    }
    if (!impl)
        return impl.error();
    return ReadableRecord(std::move(*impl));
}

ReadableRecord::ReadableRecord(std::unique_ptr<Impl> impl) : m_impl(std::move(impl)) {}
ReadableRecord::ReadableRecord(ReadableRecord&&) noexcept = default;
ReadableRecord& ReadableRecord::operator=(ReadableRecord&&) noexcept = default;
ReadableRecord::~ReadableRecord() = default;

Result<bool> ReadableRecord::refresh()
{
    Impl& view = *m_impl;
    // Not by opening it: that would drop the locks on it.
    const auto now = view.kind == Impl::Kind::InPlace
        ? identityUnder(view.path).value_or(FreshFile::Identity())
        : identityOf(view.path);
    // A name that is gone: what has been read stays, with its age.
    if (now == FreshFile::Identity{})
        return false;
    if (view.kind == Impl::Kind::Rebuilt) {
        auto reader = ShipmentReader::open(view.path);
        if (reader && reader->opening().owner.token == view.rebuilt->token()) {
            if (auto done = view.rebuilt->takeAll(view.database, *reader, view.age); !done)
                return done.error();
            return false;
        }
    } else if (now == view.seen && view.kind != Impl::Kind::Copied) {
        return false;
    }
    auto again = Impl::open(view.path);
    if (!again)
        return again.error();
    if ((*again)->run != view.run)
        return about(view.path, ErrorKind::Foreign, "is the record of another run by now",
                     "open it again");
    m_impl = std::move(*again);
    return true;
}

Database& ReadableRecord::database() { return m_impl->database; }

const RunId& ReadableRecord::run() const { return m_impl->run; }

std::optional<RecordAge> ReadableRecord::age() const
{
    if (m_impl->kind == Impl::Kind::Copied || m_impl->kind == Impl::Kind::Rebuilt)
        return m_impl->age;
    return std::nullopt;
}

} // namespace tasuki
