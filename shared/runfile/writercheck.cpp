// SPDX-License-Identifier: GPL-3.0-or-later
#include "writercheck.h"

#include "openfile.h"
#include "ownerclaim.h"
#include "schema.h"
#include "shipmentreader.h"

#include <system_error>
#include <vector>

#include <unistd.h>

namespace tasuki {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view draftEnd = ".draft";

} // namespace

std::optional<NamedRecord> recordUnder(const fs::path& named)
{
    if (const auto shipment = ShipmentReader::open(named))
        return NamedRecord{.run = shipment->opening().run,
                           .token = shipment->opening().owner.writer};
    auto database = openAtRest(named);
    if (!database)
        return std::nullopt;
    auto run = readRunId(*database);
    const auto token = readToken(*database);
    if (!run || !token)
        return std::nullopt;
    return NamedRecord{.run = std::move(*run), .token = *token};
}

Result<void> checkUnclaimed(const fs::path& named)
{
    const fs::path claim = OwnerClaim::pathOf(named);
    if (::access(claim.c_str(), F_OK) != 0)
        return {};
    return OwnerClaim::claimedBy(named);
}

fs::path draftOf(const fs::path& named, const std::string& mark)
{
    return named.native() + '.' + mark + std::string(draftEnd);
}

void removeDrafts(const fs::path& named, const std::string& own)
{
    const std::string begin = named.filename().native() + '.';
    const std::string kept = draftOf(named, own).filename();
    std::vector<fs::path> others;
    std::error_code error;
    for (const fs::directory_entry& entry : fs::directory_iterator(named.parent_path(), error)) {
        const std::string name = entry.path().filename();
        if (name.starts_with(begin) && name.ends_with(draftEnd) && name != kept)
            others.push_back(entry.path());
    }
    for (const fs::path& draft : others)
        ::unlink(draft.c_str());
}

} // namespace tasuki
