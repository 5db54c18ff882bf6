// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "domain/ids.h"
#include "domain/result.h"
#include "writertoken.h"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>

namespace tasuki {

/// What can be told of a record by what stands under its name.
struct NamedRecord {
    RunId run;
    WriterToken token;
};
/// Must not be asked where this process has the file itself open: SQLite's locks on it would be dropped.
/// @return none: there is no record, or it cannot be read
std::optional<NamedRecord> recordUnder(const std::filesystem::path& named);

/// Whether a claim stands beside a file that is written in place: then somebody goes on with it elsewhere.
/// @return an Error of kind InUse that names the owner
Result<void> checkUnclaimed(const std::filesystem::path& named);

/// How a file gets into the place of another one, so that no writer that was succeeded does it any more:
///
///   who publishes        | who succeeds
///   ---------------------+--------------------------------------------
///   makes a draft        | makes the claim its own
///   looks at the claim   | removes all drafts but its own
///   renames the draft    | reads what stands under the name
///
/// Either the look finds the claim gone, or the draft is there to be removed, or the renamed file is read.
struct Publishing {
    std::string mark;                      ///< of the writer; in the draft's name
    std::function<Result<void>()> allowed; ///< looks at the claim
};
std::filesystem::path draftOf(const std::filesystem::path& named, const std::string& mark);
/// @param own  mark of the drafts that stay
void removeDrafts(const std::filesystem::path& named, const std::string& own);

} // namespace tasuki
