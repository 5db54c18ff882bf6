// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "database.h"
#include "domain/recordrows.h"

#include <optional>
#include <vector>

namespace tasuki {

/// @return the mark of the last event up to a row; none: there is none
Result<std::optional<RecordMark>> markAtOrBefore(Database& database, std::int64_t row);
Result<std::optional<RecordMark>> latestMark(Database& database);

/// Marks of the latest event and of ever earlier ones, each about twice as far back as the one before,
/// to the first: whoever compares them with another record finds soon how far the two are alike.
Result<std::vector<RecordMark>> ladderOfMarks(Database& database);

/// What a copy says of itself, in table meta.
Result<void> writeCopyOf(Database& database, const RecordPlace& original);
/// @return none: the file is no copy
Result<std::optional<RecordPlace>> readCopyOf(Database& database);

} // namespace tasuki
