// SPDX-License-Identifier: GPL-3.0-or-later
#include "recordopening.h"

#include "fileheader.h"
#include "newrunfile.h"
#include "recordremains.h"
#include "recordsave.h"
#include "shipmentreader.h"
#include "writercheck.h"

#include <utility>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

/// Changes when a file is written. 0: there is none.
std::uint64_t pulseOf(const fs::path& path)
{
    const auto file = FreshFile::open(path);
    return file ? file->size() + static_cast<std::uint64_t>(file->changedUs()) : 0;
}

/// @param file  in its place on this node
Result<OpenedRecord> shipFrom(WritableRunFile file, OwnerClaim claim, const fs::path& named,
                              WriterToken token)
{
    const LocalPlace place{file.database.path().parent_path()};
    auto shipping = Shipping::begin(std::move(claim), place, named, file.database, file.run, token);
    if (!shipping)
        return shipping.error();
    return OpenedRecord{
        .file = std::move(file), .named = named, .shipping = std::move(*shipping), .token = token};
}

Result<void> checkRun(const RunId& found, const RecordWish& wish, const fs::path& path)
{
    if (wish.run && found != *wish.run)
        return recordOfAnother(found, *wish.run, path);
    return {};
}

/// Claims a record and takes the drafts from whoever had it before.
Result<OwnerClaim> claimRecord(const fs::path& named, const RecordWish& wish)
{
    const auto there = recordUnder(named);
    if (there) {
        if (auto right = checkRun(there->run, wish, named); !right)
            return right.error();
    }
    auto claim = OwnerClaim::acquire(named, [&named] { return pulseOf(named); }, wish.patience,
                                     wish.waiting,
                                     {.wish = wish.token,
                                      .present = there ? there->token : WriterToken(),
                                      .breaks = wish.breaks});
    if (claim)
        removeDrafts(named, claim->owner().token);
    return claim;
}

/// Opens a file in its place.
/// @return an Error of kind InUse: somebody has it
Result<OpenedRecord> openInPlace(const fs::path& path, const fs::path& known,
                                 const RecordWish& wish)
{
    auto file = wish.breaks ? openToSucceed(path, *wish.run, wish.token) : openToWrite(path);
    if (!file)
        return file.error();
    if (auto right = checkRun(file->run, wish, path); !right)
        return right.error();
    const auto token = raiseToken(file->database, wish.token);
    if (!token)
        return token.error();
    // The rest of a successor that did not get far; or one that does just now.
    if (auto unclaimed = checkUnclaimed(known); !unclaimed) {
        if (wish.breaks)
            return unclaimed.error();
        // Given back at once: the lock keeps others off.
        if (const auto claim = OwnerClaim::acquire(
                known, [&known] { return pulseOf(draftOf(known, {})); }, wish.patience,
                wish.waiting, {.wish = TokenWish::keep(*token)});
            !claim)
            return claim.error();
        removeDrafts(known, {});
    }
    file->database.setPatience();
    return OpenedRecord{.file = std::move(*file), .named = known, .shipping = {}, .token = *token};
}

/// Goes on with what is left of a record that is claimed.
Result<OpenedRecord> openClaimed(const fs::path& named, OwnerClaim claim, const RecordWish& wish,
                                 RecordLay lay)
{
    const auto root = localRecords();
    if (!root)
        return root.error();
    auto best = whatIsLeftOf(named, *root, wish.breaks ? &*wish.run : nullptr);
    if (!best)
        return best.error();
    if (auto right = checkRun(best->run, wish, named); !right)
        return right.error();
    const WriterToken claimed = claim.owner().writer;
    auto present = readToken(best->database);
    if (!present)
        return present.error();
    auto token = *present < claimed ? Result<WriterToken>(claimed) : wish.token.after(*present);
    if (token)
        token = raiseToken(best->database, TokenWish::keep(*token));
    if (!token)
        return token.error();
    if (lay == RecordLay::Shipped || wish.breaks) {
        auto opened = shipFrom(std::move(*best), std::move(claim), named, *token);
        if (opened && lay == RecordLay::InPlace)
            removeSideFiles(named); // of the file that the shipment has replaced
        return opened;
    }
    // A shipment that was brought here, or whose agent was told to ship: it becomes a file again.
    if (auto saved = publishRecord(
            best->database, named,
            {.mark = claim.owner().token, .allowed = [&claim] { return claim.check(); }});
        !saved)
        return saved.error();
    LocalPlace{best->database.path().parent_path()}.remove();
    auto file = openToWrite(named);
    if (!file)
        return file.error();
    return OpenedRecord{.file = std::move(*file), .named = named, .shipping = {}, .token = *token};
}

} // namespace

Result<OpenedRecord> createRecord(const fs::path& path, const RunId& run)
{
    constexpr WriterToken first{Epoch(1), Term{}}; // as createSchema() has it
    const auto located = locateNew(path);
    if (!located)
        return located.error();
    const auto lay = layOf(*located);
    if (!lay)
        return lay.error();
    if (auto free = checkNameIsFree(*located, path); !free)
        return free.error();
    if (*lay == RecordLay::InPlace) {
        auto made = makeRunFile(*located, run, path);
        if (!made)
            return made.error();
        return OpenedRecord{
            .file = std::move(*made), .named = *located, .shipping = {}, .token = first};
    }
    auto claim = claimRecord(*located, {});
    if (!claim)
        return claim.error();
    if (auto free = checkNameIsFree(*located, path); !free)
        return free.error();
    const auto root = localRecords();
    if (!root)
        return root.error();
    const LocalPlace place = localPlaceOf(*root, run);
    if (auto made = makePlace(place); !made)
        return made.error();
    auto made = makeRunFile(place.record(), run, path);
    if (!made)
        return made.error();
    return shipFrom(std::move(*made), std::move(*claim), *located, first);
}

Result<OpenedRecord> openRecord(const fs::path& path, const RecordWish& wish)
{
    auto located = locateRunFile(path);
    const auto known = located ? Result<fs::path>(*located) : locateNew(path);
    if (!known)
        return located.error();
    const auto lay = layOf(*known);
    if (!lay)
        return lay.error();
    if (*lay == RecordLay::InPlace) {
        // First: to look into a database apart would drop the locks that others here hold on it.
        auto opened = openInPlace(path, *known, wish);
        const bool held = !opened && opened.error().kind == ErrorKind::InUse && wish.breaks;
        if (opened || (!held && !(located && opened.error().kind == ErrorKind::Foreign)))
            return opened;
        const auto shipped = isShipment(*known);
        if (!held && (!shipped || !*shipped))
            return opened;
    }
    auto claim = claimRecord(*known, wish);
    if (!claim)
        return claim.error();
    return openClaimed(*known, std::move(*claim), wish, *lay);
}

Result<OpenedRecord> moveRecord(OpenedRecord& from, const fs::path& to)
{
    if (!from.shipping) {
        if (auto saved = saveRecord(from.file.database, to); !saved)
            return saved.error();
        auto file = openToWrite(to);
        if (!file)
            return file.error();
        return OpenedRecord{
            .file = std::move(*file), .named = to, .shipping = {}, .token = from.token};
    }
    auto claim = claimRecord(
        to, {.token = TokenWish::keep(from.token), .patience = std::chrono::milliseconds::zero()});
    if (!claim)
        return claim.error();
    auto shipping = Shipping::begin(std::move(*claim), from.shipping->place(), to,
                                    from.file.database, from.file.run, from.token);
    if (!shipping)
        return shipping.error();
    return OpenedRecord{.file = std::move(from.file),
                        .named = to,
                        .shipping = std::move(*shipping),
                        .token = from.token};
}

} // namespace tasuki
