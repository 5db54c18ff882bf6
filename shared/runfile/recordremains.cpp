// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordremains.h"

#include "fileheader.h"
#include "rebuiltrecord.h"
#include "recordmarks.h"
#include "recordsave.h"
#include "schema.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <system_error>
#include <utility>

#include <sys/stat.h>
#include <unistd.h>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

/// An agent on a host that has the file system for itself, as the file server, writes in place, and its lock
/// is not seen here.
Result<void> checkWriterInPlace(const fs::path& named)
{
    constexpr std::size_t mostBytes = 512;
    const auto words = freshText(named.native() + ".lock", mostBytes);
    if (!words)
        return {};
    // As AgentLock writes them: "process 12 on grid01 since ..."
    const std::string holder = words->substr(0, words->find('\n'));
    constexpr std::string_view begin = "process ";
    std::int64_t pid = 0;
    if (holder.starts_with(begin))
        std::from_chars(holder.data() + begin.size(), holder.data() + holder.size(), pid);
    std::array<char, 256> host{};
    static_cast<void>(::gethostname(host.data(), host.size() - 1));
    const bool here = holder.find(" on " + std::string(host.data()) + " since ")
        != std::string::npos;
    std::error_code error;
    if (here && pid > 1 && !fs::exists("/proc/" + std::to_string(pid), error))
        return {};
    return about(named, ErrorKind::InUse,
                 "is written in place by " + (holder.empty() ? "another process" : holder)
                     + ", or was until that was killed",
                 "resume it on that host; or, when that process has ended for certain, remove "
                     + named.filename().native() + ".lock");
}

Result<EventId> lastEventOf(Database& database)
{
    const auto last = database.integer("SELECT max(id) FROM event");
    if (!last)
        return last.error();
    return eventIdOf(std::max<std::int64_t>(*last, 0));
}

/// Brings the live record of a shipment up to all that the shipment has.
Result<WritableRunFile> withRest(WritableRunFile file, ShipmentReader& reader)
{
    const auto last = lastEventOf(file.database);
    if (!last)
        return last.error();
    auto rebuilt = RebuiltRecord::goOn(file.database, reader.opening(), *last);
    if (!rebuilt)
        return rebuilt.error();
    RecordAge age;
    if (auto taken = rebuilt->takeAll(file.database, reader, age); !taken)
        return taken.error();
    return file;
}

Result<WritableRunFile> fromShipment(ShipmentReader reader, const fs::path& localRecords,
                                     bool breaks)
{
    const LocalPlace place = localPlaceOf(localRecords, reader.opening().run);
    const auto begin = reader.place();
    const auto origin = place.origin();
    if (origin && origin->token == reader.opening().owner.token) {
        auto live = openToWrite(place.record());
        if (live)
            live = withRest(std::move(*live), reader);
        if (live || (live.error().kind == ErrorKind::InUse && !breaks))
            return live;
        reader.goTo(begin);
    }
    if (auto made = makePlace(place); !made)
        return made.error();
    {
        auto database = Database::open(place.record(), Database::Mode::Create);
        if (!database)
            return database.error();
        auto rebuilt = RebuiltRecord::begin(*database, reader.opening());
        if (!rebuilt)
            return rebuilt.error();
        RecordAge age;
        if (auto taken = rebuilt->takeAll(*database, reader, age); !taken)
            return taken.error();
    }
    return openToWrite(place.record());
}

/// @return whether a live record has all that a file has, and more
bool goesOnBehind(Database& live, Database& file)
{
    const auto last = latestMark(file);
    const auto latest = latestMark(live);
    if (!last || !latest || !*latest)
        return false;
    if (!*last)
        return true;
    const auto shared = markAtOrBefore(live, rowIdOf((*last)->id));
    return shared && *shared == *last && (*latest)->id > (*last)->id;
}

Result<WritableRunFile> fromFile(const fs::path& named, const fs::path& localRecords)
{
    if (auto alone = checkWriterInPlace(named); !alone)
        return alone.error();
    auto file = openAtRest(named);
    if (!file)
        return file.error();
    const auto run = readRunId(*file);
    if (!run)
        return run.error();
    const LocalPlace place = localPlaceOf(localRecords, *run);
    if (place.origin()) {
        auto live = openToWrite(place.record());
        if (!live && live.error().kind == ErrorKind::InUse)
            return live;
        if (live && live->run == *run && goesOnBehind(live->database, *file))
            return live;
    }
    if (auto made = makePlace(place); !made)
        return made.error();
    // With its log, if somebody has been killed who wrote it in place.
    if (auto copied = copyAsItIs(named, place.record()); !copied)
        return copied.error();
    return openToWrite(place.record());
}

/// A file that somebody keeps who may write no more. What it writes there from now on it tells nobody of.
Result<WritableRunFile> fromHeldFile(const fs::path& named, const fs::path& localRecords,
                                     const RunId& run)
{
    const LocalPlace place = localPlaceOf(localRecords, run);
    if (auto made = makePlace(place); !made)
        return made.error();
    if (auto copied = copyAsItIs(named, place.record()); !copied)
        return copied.error();
    return openToWrite(place.record());
}

/// The record of a name under which there is nothing of use.
Result<WritableRunFile> fromThisNode(const fs::path& named, const fs::path& localRecords,
                                     const Error& otherwise)
{
    const auto place = localPlaceOf(localRecords, named);
    return place ? openToWrite(place->record()) : Result<WritableRunFile>(otherwise);
}

} // namespace

Result<void> makePlace(const LocalPlace& place)
{
    constexpr mode_t own = 0700;
    place.remove();
    if (::mkdir(place.directory.c_str(), own) == 0)
        return {};
    return about(place.directory, systemError("cannot be made", errno));
}

Result<WritableRunFile> whatIsLeftOf(const fs::path& named, const fs::path& localRecords,
                                     const RunId* held)
{
    const auto located = locateRunFile(named);
    if (!located)
        return fromThisNode(named, localRecords, located.error());
    const auto shipped = isShipment(named);
    if (!shipped)
        return shipped.error();
    if (!*shipped)
        return held != nullptr ? fromHeldFile(named, localRecords, *held)
                               : fromFile(named, localRecords);
    auto reader = ShipmentReader::open(named);
    if (!reader)
        return fromThisNode(named, localRecords, reader.error());
    return fromShipment(std::move(*reader), localRecords, held != nullptr);
}

} // namespace tasuki
